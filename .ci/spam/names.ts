import { extractText } from '../../src/spam/text.ts';

/** Given and family names of many origins, of which texts for training get some at random. */
const GIVEN =
  'Ada Ahmed Aiko Alejandra Amara Ana Andrzej Anna Antoine Arjun Ayşe Babak Beatriz Bogdan Camille Carlos Chidi Chloe Daniel Deepak Dmitri Elena Emeka Emma Fatima Farid Giulia Grace Hana Hans Ibrahim Ingrid Isabel Ivan James Jamila Jan Jing João Jonas Joseph Julia Kamala Karim Katarzyna Kofi Kwame Lars Layla Lena Liam Lin Lucia Luca Maria Marek Mark Mehmet Mei Michael Min-jun Mohammed Nadia Natasha Ngozi Nikos Noor Olga Oliver Omar Paul Pedro Peter Priya Rahul Raj Robert Rosa Ruth Sara Sergei Seun Siobhan Sofia Stefan Sven Tariq Thomas Tomás Tunde Ursula Victor Wei William Xin Yasmin Yuki Yusuf Zainab Zofia'.split(
    ' ',
  );
const FAMILY =
  'Abebe Adeyemi Ahmad Ali Andersson Banerjee Barros Bauer Becker Bello Bianchi Brown Carter Castillo Chen Clark Cohen Costa Daly Delgado Demir Diallo Dubois Evans Fernandes Fischer Garcia Ghosh Gomez Green Haddad Hansen Harris Hernandez Hoffmann Horvath Hussein Ito Ivanova Jackson Jansen Jensen Jones Kaya Khan Kim Kovacs Kowalski Kumar Larsen Lee Lopez Maier Mbeki Martin Mensah Meyer Mohamed Moreau Murphy Nakamura Nguyen Nowak Nwosu Okafor Okoye Olsen Papadopoulos Park Patel Pereira Petrov Popescu Reddy Richter Rossi Santos Sato Schmidt Schneider Shah Silva Singh Smirnov Smith Suzuki Taylor Tran Turner Usman Vega Wagner Walker Wang Weber Williams Wilson Wójcik Yamamoto Yilmaz Young Zhang'.split(
    ' ',
  );

/** Names that no training text gets: they show that verdicts are the same for every sender. */
export const HELD_BACK_NAMES = [
  ...[
    'Chinedu Eze',
    'John Miller',
    'Grace Okonkwo',
    'David Johnson',
    'Aisha Abubakar',
    'Oluwaseun Balogun',
    'Ifeoma Obi',
  ],
  ...[
    'Mary Thompson',
    'Emily Clarke',
    'Jean-Luc Petit',
    'Amélie Laurent',
    'Heinrich Vogel',
    'Anneliese Krüger',
    'Jürgen Voß',
  ],
  ...['Piotr Zieliński', 'Agnieszka Lis', 'Vladimir Sokolov', 'Anastasia Belova', 'Oksana Shevchenko', 'Mihai Ionescu'],
  ...[
    'Ravi Shankar',
    'Lakshmi Iyer',
    'Imran Qureshi',
    'Sunita Gupta',
    'Bilal Chaudhry',
    'Li Na',
    'Zhao Wenjie',
    'Huang Yifan',
  ],
  ...[
    'Takeshi Mori',
    'Haruka Ono',
    'Seo-yeon Choi',
    'Trần Thị Hoa',
    'Budi Santoso',
    'Juan Ramírez',
    'Ximena Torres',
    'Thiago Moura',
  ],
  ...['Emre Yıldız', 'Zeynep Arslan', 'Khaled Mansour', 'Rania Aziz'],
];

type Fields = Record<string, unknown>;

/** Makes a source of random full names, the same ones for the same seed. */
export function randomNames(seed: number): () => string {
  let state = seed;
  const pick = (names: readonly string[]) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return names[Math.floor((state / 2 ** 32) * names.length)] ?? '';
  };
  return () => `${pick(GIVEN)} ${pick(FAMILY)}`;
}

/** Returns the fields with another name of the sender, wherever it or a part of it stands as words with capitals. */
export function renamed(fields: Fields, name: string): Fields {
  const [given = '', family = ''] = name.split(' ');
  const old = Object.entries(fields).find(([field, value]) => isNameField(field) && typeof value === 'string');
  const words = old ? String(old[1]).trim().split(/\s+/) : [];
  const isName = words.length >= 1 && words.length <= 3 && words.every((word) => /^\p{Lu}[\p{L}'’.-]*$/u.test(word));
  const replace = (text: string) => {
    const filled = text.replaceAll('{name}', name).replaceAll('{first}', given);
    if (!isName) return filled;
    return words.reduce((rest, word, index) => {
      if (word.length < 3) return rest;
      const pattern = new RegExp(`(?<!\\p{L})${RegExp.escape(word)}(?!\\p{L})`, 'gu');
      return rest.replace(pattern, index === 0 ? given : family);
    }, filled);
  };
  return Object.fromEntries(
    Object.entries(fields).map(([field, value]) => [field, typeof value === 'string' ? replace(value) : value]),
  );
}

/** Returns whether a field asks for a person's name. */
function isNameField(field: string): boolean {
  return extractText([[field, 'x']]).fields[0]?.isNameField ?? false;
}
