import type { Cell, SpreadsheetWords } from './spreadsheet.ts';

const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const RELATIONS = 'http://schemas.openxmlformats.org/package/2006/relationships';
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006';
const TYPES = 'http://schemas.openxmlformats.org/package/2006/content-types';
const SHEET_TYPES = 'application/vnd.openxmlformats-officedocument.spreadsheetml';

/** Longest text of a cell, in UTF-16 units. */
const MAX_CELL = 32_767;

export const DECLARATION = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
export const PROPERTIES = `<Properties xmlns="${OFFICE}/extended-properties"><Application>Formstead</Application></Properties>`;

/** Indexes of the formats in `STYLES`. */
const STYLE = { text: 0, header: 1, date: 2, time: 3 } as const;
/** Best ratings with a format, which shows 4 as "4 of 5". The style of a rating has the index of the last other plus its best. */
const RATINGS = Array.from({ length: 10 }, (_, index) => index + 1);
const FIRST_FORMAT = 164;

/** Returns the styles. Formats 14 and 22 are dates as the reader's system writes them. */
function stylesXml({ rating }: SpreadsheetWords): string {
  const formats = RATINGS.map((max) => {
    const code = Bun.escapeHTML(rating('0', max).replace(/0(.*)/, '0"$1"'));
    return `<numFmt numFmtId="${FIRST_FORMAT + max}" formatCode="${code}"/>`;
  });
  const ratings = RATINGS.map(
    (max) => `<xf numFmtId="${FIRST_FORMAT + max}" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/>`,
  );
  return `${DECLARATION}<styleSheet xmlns="${MAIN}">\
<numFmts count="${RATINGS.length}">${formats.join('')}</numFmts>\
<fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts>\
<fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills>\
<borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>\
<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>\
<cellXfs count="${4 + RATINGS.length}"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/>\
<xf numFmtId="0" fontId="1" fillId="0" borderId="0" xfId="0" applyFont="1"/>\
<xf numFmtId="14" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/>\
<xf numFmtId="22" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/>${ratings.join('')}</cellXfs>\
<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>`;
}

export const sheetPath = (number: number): string => `xl/worksheets/sheet${number}.xml`;

/** Returns the start of a sheet with its header row frozen. */
export function sheetStart(columns: number): string {
  return `${DECLARATION}<worksheet xmlns="${MAIN}"><sheetViews><sheetView workbookViewId="0">\
<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews>\
<cols><col min="1" max="${columns}" width="20" customWidth="1"/></cols><sheetData>`;
}

export const SHEET_END = '</sheetData></worksheet>';

/** Returns the XML of a row. Empty cells are left out. No cell has a formula: texts are inline strings. */
export function rowXml(number: number, row: readonly Cell[], isHeader: boolean, shortened: string): string {
  const cells = row.map(({ text, number: value, format }, index) => {
    const reference = `r="${columnName(index)}${number}"`;
    if (value !== undefined) {
      const style = typeof format === 'number' ? STYLE.time + format : STYLE[format ?? 'text'];
      return `<c ${reference} s="${style}"><v>${value}</v></c>`;
    }
    if (text === '') return '';
    const style = isHeader ? ` s="${STYLE.header}"` : '';
    return `<c ${reference}${style} t="inlineStr"><is><t xml:space="preserve">${textXml(text, shortened)}</t></is></c>`;
  });
  return `<row r="${number}">${cells.join('')}</row>`;
}

/** Returns the parts that list the sheets. They come last, when the number of sheets is known. */
export function workbookParts(
  words: SpreadsheetWords,
  count: number,
): ReadonlyArray<readonly [path: string, xml: string]> {
  const numbers = Array.from({ length: count }, (_, index) => index + 1);
  const sheets = numbers.map((n) => `<sheet name="${sheetName(words.sheet, n)}" sheetId="${n}" r:id="rId${n}"/>`);
  const relation = (id: number, type: string, target: string) =>
    `<Relationship Id="rId${id}" Type="${OFFICE}/relationships/${type}" Target="${target}"/>`;
  const part = (path: string, type: string) => `<Override PartName="/${path}" ContentType="${type}"/>`;
  return [
    ['xl/styles.xml', stylesXml(words)],
    [
      'xl/workbook.xml',
      `${DECLARATION}<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}/relationships"><sheets>${sheets.join('')}</sheets></workbook>`,
    ],
    [
      'xl/_rels/workbook.xml.rels',
      `${DECLARATION}<Relationships xmlns="${RELATIONS}">${numbers
        .map((n) => relation(n, 'worksheet', `worksheets/sheet${n}.xml`))
        .join('')}${relation(count + 1, 'styles', 'styles.xml')}</Relationships>`,
    ],
    [
      '_rels/.rels',
      `${DECLARATION}<Relationships xmlns="${RELATIONS}">${relation(1, 'officeDocument', 'xl/workbook.xml')}${relation(
        2,
        'extended-properties',
        'docProps/app.xml',
      )}</Relationships>`,
    ],
    [
      '[Content_Types].xml',
      `${DECLARATION}<Types xmlns="${TYPES}"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>\
<Default Extension="xml" ContentType="application/xml"/>${part('xl/workbook.xml', `${SHEET_TYPES}.sheet.main+xml`)}\
${part('xl/styles.xml', `${SHEET_TYPES}.styles+xml`)}\
${part('docProps/app.xml', 'application/vnd.openxmlformats-officedocument.extended-properties+xml')}\
${numbers.map((n) => part(sheetPath(n), `${SHEET_TYPES}.worksheet+xml`)).join('')}</Types>`,
    ],
  ];
}

function sheetName(title: string, number: number): string {
  return Bun.escapeHTML(number === 1 ? title : `${title} ${number}`);
}

/** Returns the letters of a column: A to Z, then AA. */
export function columnName(index: number): string {
  const letter = String.fromCharCode(65 + (index % 26));
  return index < 26 ? letter : columnName(Math.floor(index / 26) - 1) + letter;
}

/**
 * Escapes a text. Characters that XML can't hold become U+FFFD, and `_x0041_`, which spreadsheets would decode, gets
 * its underscore encoded.
 */
function textXml(text: string, shortened: string): string {
  const fitting = text.length > MAX_CELL ? text.slice(0, MAX_CELL - shortened.length) + shortened : text;
  const legal = fitting
    .toWellFormed()
    .replace(/\r\n?/g, '\n')
    .replace(/[^\P{Cc}\n\t]|[\ufffe\uffff]/gu, '\ufffd')
    .replace(/_(?=x[0-9A-Fa-f]{4}_)/g, '_x005F_');
  return Bun.escapeHTML(legal);
}
