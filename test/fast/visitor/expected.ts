import type { Payload } from '../../../src/domain/submissions/submission.ts';

/** A field of a text form. */
export type Field = readonly [name: string, value: string];

/** Returns the payload that is expected to be stored for a text form. */
export function payloadOf(sent: readonly Field[]): Payload {
  const nameOf = (one: string) => (one.endsWith('[]') ? one.slice(0, -2) : one);
  return [...new Set(sent.map(([one]) => nameOf(one)))].map((own) => {
    const ofIt = sent.filter(([one]) => nameOf(one) === own);
    const values = ofIt.map(([, value]) => value);
    const [only = ''] = values;
    return [own, values.length > 1 || ofIt.some(([one]) => one !== own) ? values : only];
  });
}

/** Parses by the steps of the WHATWG URL standard, section 5.1. */
export function parseUrlencoded(body: Buffer): Field[] {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  const decode = (sequence: string) => {
    const escaped = sequence
      .replaceAll('+', ' ')
      .replace(/%([0-9a-f]{2})/gi, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)));
    return decoder.decode(Buffer.from(escaped, 'latin1'));
  };
  const sequences = body.toString('latin1').split('&').filter(Boolean);
  return sequences.map((sequence) => {
    const [own = '', ...value] = sequence.split('=');
    return [decode(own), decode(value.join('='))];
  });
}
