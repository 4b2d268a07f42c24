/**
 * The requirements of OWASP ASVS 5.0.0 by section: numbers of level 1, then of level 2. The other numbers of a section are
 * level 3.
 */
const SECTIONS = `
1.1   -          1-2      | 1.2   1-5        6-9      | 1.3   1-2        3-11     | 1.4   -          1-3
1.5   1          2        | 2.1   1          2-3      | 2.2   1-2        3        | 2.3   1          2-4
2.4   -          1        | 3.2   1-2        -        | 3.3   1          2-4      | 3.4   1-2        3-6
3.5   1-3        4-5      | 3.7   -          1-2      | 4.1   1          2-3      | 4.2   -          1
4.3   -          1-2      | 4.4   1          2-4      | 5.1   -          1        | 5.2   1-2        3
5.3   1-2        -        | 5.4   -          1-3      | 6.1   1          2-3      | 6.2   1-8        9-12
6.3   1-2        3-4      | 6.4   1-2        3-4      | 6.5   -          1-5      | 6.6   -          1-3
6.8   -          1-4      | 7.1   -          1-3      | 7.2   1-4        -        | 7.3   -          1-2
7.4   1-2        3-5      | 7.5   -          1-2      | 7.6   -          1-2      | 8.1   1          2
8.2   1-2        3        | 8.3   1          -        | 8.4   -          1        | 9.1   1-3        -
9.2   1          2-4      | 10.1  -          1-2      | 10.2  -          1-2      | 10.3  -          1-4
10.4  1-5        6-11     | 10.5  -          1-5      | 10.6  -          1-2      | 10.7  -          1-3
11.1  -          1-2      | 11.2  -          1-3      | 11.3  1-2        3        | 11.4  1          2-4
11.5  -          1        | 11.6  -          1        | 12.1  1          2-3      | 12.2  1-2        -
12.3  -          1-4      | 13.1  -          1        | 13.2  -          1-5      | 13.3  -          1-2
13.4  1          2-5      | 14.1  -          1-2      | 14.2  1          2-4      | 14.3  1          2-3
15.1  1          2-3      | 15.2  1          2-3      | 15.3  1          2-7      | 16.1  -          1
16.2  -          1-5      | 16.3  -          1-4      | 16.4  -          1-3      | 16.5  -          1-3
17.1  -          1        | 17.2  -          1-4      | 17.3  -          1-2
`;

const sections = SECTIONS.trim()
  .split(/[|\n]/)
  .map((section) => section.trim().split(/ +/));

/** Returns the ids of a level, such as `1.2.3`. */
function pathIds(level: 1 | 2): readonly string[] {
  return sections.flatMap(([section, ...levels]) => {
    const [first, last = first] = (levels[level - 1] ?? '-').split('-').filter(Boolean).map(Number);
    if (first === undefined || last === undefined) return [];
    return Array.from({ length: last - first + 1 }, (_, index) => `${section}.${first + index}`);
  });
}

export const LEVEL_1 = pathIds(1);
export const LEVEL_2 = pathIds(2);
