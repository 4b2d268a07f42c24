import { describe, expect, test } from 'bun:test';
import { cardCases, cardValues } from '../../../../.ci/masking/cards.ts';
import { AMOUNTS, SURROUNDINGS } from '../../../../.ci/masking/surroundings.ts';
import { expectUnmasked, grouped, MASKED_VISA, mask, randomFrom, VISA, withCheckDigit } from './support.ts';

describe('cards', () => {
  test('keep their last four digits and lose their separators', () => {
    expect(mask(VISA)).toBe(MASKED_VISA);
    expect(mask('4242424242424242')).toBe(MASKED_VISA);
    expect(mask('3782 822463 10005')).toBe('***********0005');
  });

  test('of every brand are masked with every separator, in every grouping, in any script and in prose', () => {
    const random = randomFrom(1);
    const failed: string[] = [];
    for (const { text, masked } of cardCases(random, () => [random.pick([...SURROUNDINGS, ...AMOUNTS])])) {
      if (mask(text) !== masked) failed.push(`${text} -> ${mask(text)}`);
    }
    expect(failed).toEqual([]);
  });

  test('are masked wherever they are in a value', () => {
    for (const { value, masked } of cardValues(randomFrom(1), 1000)) expect(mask(value)).toEqual(masked);
  });

  test('are not masked without a valid check digit, a known brand and a length of that brand', () => {
    expectUnmasked('4242 4242 4242 4243');
    expectUnmasked(withCheckDigit('999999999999999'));
    expectUnmasked(withCheckDigit('42424242424242424'));
  });

  test('are not masked if they mix two kinds of separators', () => {
    expectUnmasked('4242 4242-4242 4242');
    expectUnmasked('4242 4242\n4242 4242');
  });

  test('are not masked if the digits continue', () => {
    expectUnmasked('14242424242424242');
    expectUnmasked('42424242424242421');
    expectUnmasked('0.4242424242424242');
    expectUnmasked('1 42 42 42 42 42 42 42 42');
  });

  test('are found next to other numbers', () => {
    expect(mask(`${VISA} 12/27 123`)).toBe(`${MASKED_VISA} 12/27 123`);
    expect(mask(`${VISA} 12 27 123`)).toBe(`${MASKED_VISA} 12 27 123`);
    expect(mask(`4242-4242-4242-4242-123`)).toBe(`${MASKED_VISA}-123`);
    expect(mask(`4242424242424242/123`)).toBe(`${MASKED_VISA}/123`);
    expect(mask(`1 ${VISA}`)).toBe(`1 ${MASKED_VISA}`);
    expect(mask(`${VISA} 5555 5555 5555 4444`)).toBe(`${MASKED_VISA} ************4444`);
    expect(mask(`+49 170 1234567, ${VISA}`)).toBe(`+49 170 1234567, ${MASKED_VISA}`);
    expect(mask('am 12.05. 42424 24242 424242 12/27')).toBe(`am 12.05. ${MASKED_VISA} 12/27`);
  });

  test('with several valid lengths are masked as the longest', () => {
    expect(mask('6200 0000 0000 0005 18')).toBe('**************0518');
    for (let month = 1; month <= 12; month++) {
      const expiry = `${String(month).padStart(2, '0')}/27`;
      expect(mask(`6200 0000 0000 0005 ${expiry}`)).toBe(`************0005 ${expiry}`);
    }
  });

  test('with Latin letters attached are tokens, unless the letters are a word for card', () => {
    expectUnmasked('ORD4242424242424242');
    expectUnmasked('order_4242424242424242');
    expectUnmasked('4242424242424242abc');
    expect(mask('card4242424242424242')).toBe(`card${MASKED_VISA}`);
    expect(mask('cc_4242424242424242')).toBe(`cc_${MASKED_VISA}`);
  });

  test('between underscores are masked, because underscores are emphasis', () => {
    expect(mask(`_${VISA}_`)).toBe(`_${MASKED_VISA}_`);
    expect(mask('__4242424242424242__')).toBe(`__${MASKED_VISA}__`);
    expectUnmasked('img_1_4242424242424242');
    expectUnmasked('4242424242424242_1_img');
  });

  test('need no space before or after a currency', () => {
    for (const currency of ['USD', 'eur', '$', '€']) {
      expect(mask(`${currency}4242424242424242`)).toBe(`${currency}${MASKED_VISA}`);
      expect(mask(`${VISA}${currency}`)).toBe(`${MASKED_VISA}${currency}`);
    }
    expectUnmasked('XUSD4242424242424242');
  });

  test('in unusual groups are found next to an amount of money', () => {
    const card = '42424 24242 42424 2';
    for (const amount of ['€20', '20 €', '20 EUR', '20 zł', '10,50']) {
      expect(mask(`${card} ${amount}`)).toBe(`${MASKED_VISA} ${amount}`);
    }
    for (const amount of ['€20', 'EUR 20', '10,50']) expect(mask(`${amount} ${card}`)).toBe(`${amount} ${MASKED_VISA}`);
    expectUnmasked(`${card} 20`);
    expectUnmasked(`20 ${card}`);
  });

  test('need no space next to other scripts', () => {
    expect(mask('卡号4242424242424242谢谢')).toBe(`卡号${MASKED_VISA}谢谢`);
    expect(mask('карта4242424242424242')).toBe(`карта${MASKED_VISA}`);
  });

  test('are recognized in digits of any script, even mixed, and the last four become ASCII', () => {
    expect(mask('４２４２ ４２４２ ４２４２ ４２４２')).toBe(MASKED_VISA);
    expect(mask('٤٢٤٢٤٢٤٢٤٢٤٢٤٢٤٢')).toBe(MASKED_VISA);
    expect(mask('۴۲۴۲-४२४२-4242-𝟒𝟐𝟜𝟚')).toBe(MASKED_VISA);
    expect(mask('<𝟒𝟐𝟒𝟐𝟒𝟐𝟒𝟐𝟒𝟐𝟒𝟐𝟒𝟐𝟒𝟐>')).toBe(`<${MASKED_VISA}>`);
  });

  test('are found through invisible characters', () => {
    expect(mask('4242\u200b4242\u00ad4242\u20604242')).toBe(MASKED_VISA);
  });

  test('of 13 digits need a word for card next to them or in the field name', () => {
    expectUnmasked('4222222222222');
    expectUnmasked('4006381333931');
    for (const word of ['card', 'Kreditkarte', 'tarjeta', 'cartão', 'карта', 'カード', 'Visa']) {
      expect(mask(`${word}: 4222222222222`)).toBe(`${word}: *********2222`);
      expect(mask('4222222222222', word)).toBe('*********2222');
    }
    expect(mask('4222222222222 (my old card)')).toBe('*********2222 (my old card)');
    expectUnmasked(`card${' '.repeat(40)}4222222222222`);
  });

  test('are ignored within an IBAN, but masked after one', () => {
    const iban = `DE89 ${VISA} 00`;
    expectUnmasked(iban);
    expectUnmasked(iban.replaceAll(' ', ''));
    expectUnmasked(`gb29 nwbk ${VISA.slice(0, 14)} 24`);
    expect(mask(`${iban} ${VISA}`)).toBe(`${iban} ${MASKED_VISA}`);
    expect(mask(`XY89 ${VISA} 00`)).toBe(`XY89 ${MASKED_VISA} 00`);
  });

  test('are ignored within phone, parcel and order numbers', () => {
    expectUnmasked('+36000000000008');
    expect(mask('36000000000008')).toBe('**********0008');
    expect(mask('+4242424242424242')).toBe(`+${MASKED_VISA}`);
    for (const head of ['9400', '7020', '6129', '0034']) expectUnmasked(`${head} 4242 4242 4242 4242`);
    expectUnmasked('9400 4242 4242 4242 4242 00');
    for (const other of ['2024', '579861']) expect(mask(`${other} ${VISA}`)).toBe(`${other} ${MASKED_VISA}`);
    expectUnmasked('1Z 424 242 42 4242 4242');
    expectUnmasked('1z-4242424242424242');
    expectUnmasked(grouped(withCheckDigit('5012345678901234'), [3, 7, 7], '-'));
  });
});
