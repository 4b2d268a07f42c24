import type { VisitorTexts } from './index.ts';

export const PL: VisitorTexts = {
  thanks: {
    title: 'Dziękujemy',
    text: 'Otrzymaliśmy Państwa wiadomość.',
    message: 'Dziękujemy, otrzymaliśmy Państwa wiadomość.',
  },
  refused: 'Wiadomość nie została wysłana',
  back: 'Wróć do strony',
  refusals: {
    empty: 'Formularz jest pusty. Proszę wypełnić co najmniej jedno pole.',
    fields: 'Niektóre pola są puste lub wymagają poprawy.',
    unreadable: 'Nie udało się odczytać formularza. Proszę sprawdzić dane i spróbować ponownie.',
    tooLarge: (limit) =>
      `Formularz jest za duży. Proszę skrócić teksty lub wybrać mniejsze pliki. Maksymalny rozmiar: ${limit}.`,
    tooManyFields: (limit) => `Formularz ma za dużo pól. Dozwolona liczba pól: ${limit}.`,
    nameTooLong: (limit) => `Nazwa jednego z pól formularza jest za długa. Dozwolona liczba bajtów: ${limit}.`,
    tooDeep: (limit) => `Dane formularza mają za dużo poziomów zagnieżdżenia. Dozwolona liczba poziomów: ${limit}.`,
    unsupported: (types) =>
      `Formularz został wysłany w nieobsługiwanym formacie. Obsługiwane formaty, bez Content-Encoding: ${types}.`,
    tooManyFiles: 'Plików jest za dużo. Proszę wysłać mniej naraz.',
    fileTooLarge: 'Jeden z plików jest za duży. Proszę wybrać mniejszy.',
    fileType: 'Ten formularz nie przyjmuje plików tego typu. Proszę wybrać inny plik.',
    tooSlow: 'Wysyłanie wiadomości trwało zbyt długo. Proszę sprawdzić połączenie i spróbować ponownie.',
    paused: 'Ten formularz nie przyjmuje obecnie wiadomości.',
    notFound: 'Pod tym adresem nie ma formularza.',
    origin: 'Ten formularz nie przyjmuje wiadomości z tej strony.',
    invalidKey:
      'Wystąpił problem z poprzednią stroną. Proszę ją odświeżyć i spróbować ponownie. (Idempotency-Key ma od 1 do 255 drukowalnych znaków ASCII.)',
    inProgress: 'Wiadomość jest już wysyłana. Proszę odczekać chwilę przed ponowną próbą.',
    reusedKey: 'Ten formularz został już wysłany z inną treścią. Proszę odświeżyć stronę i wypełnić go ponownie.',
    challengeMissing: 'Proszę ukończyć weryfikację antyspamową i wysłać formularz ponownie.',
    challengeFailed: 'Weryfikacja antyspamowa nie powiodła się lub wygasła. Proszę spróbować ponownie.',
    challengeUnavailable:
      'Weryfikacja antyspamowa jest chwilowo niedostępna i wiadomość nie została zapisana. Proszę spróbować ponownie za minutę.',
    noChallenge: 'Ten formularz nie korzysta z weryfikacji antyspamowej „altcha”.',
    busy: 'Napływa zbyt wiele wiadomości naraz i ta wiadomość nie została zapisana. Proszę spróbować ponownie za minutę.',
    monthlyLimit: 'Ten formularz nie przyjmuje już wiadomości w tym miesiącu.',
    rateLimit: (wait) =>
      `Z tej sieci wysłano zbyt wiele wiadomości. Proszę chwilę odczekać i spróbować ponownie (pozostały czas: ${wait}).`,
    internal: 'Po naszej stronie wystąpił błąd i wiadomość nie została zapisana. Proszę spróbować ponownie za minutę.',
  },
  fieldErrors: {
    required: 'To pole jest wymagane.',
    email: 'Proszę podać adres e-mail, na przykład name@example.com.',
    number: 'Proszę podać liczbę, na przykład 42.',
    url: 'Proszę podać pełny adres internetowy, na przykład https://example.com.',
    date: 'Proszę podać datę w formacie rok-miesiąc-dzień, na przykład 2026-11-30.',
    checkbox: 'To pole można tylko zaznaczyć lub pozostawić puste.',
    option: 'Proszę wybrać jedną z podanych opcji.',
    rating: (limit) => `Proszę wybrać ocenę od 1 do ${limit}.`,
    phone: 'Proszę podać numer telefonu, na przykład +44 20 7946 0018.',
    consent: 'Proszę zaznaczyć to pole, aby kontynuować.',
    file: 'Proszę wybrać plik zamiast wpisywać tekst.',
    text: 'Proszę wpisać tylko tekst.',
    max_length: (limit) => `Podany tekst jest za długi. Dozwolona liczba znaków: ${limit}.`,
    pattern: 'Podana wartość nie ma wymaganego formatu.',
    too_long: (limit) => `Ten tekst jest za długi. Maksymalny rozmiar: ${limit}.`,
    file_too_large: (limit) => `Ten plik jest za duży. Maksymalny rozmiar: ${limit}.`,
    file_type: (types) => `Ten typ pliku nie jest przyjmowany. Dozwolone typy plików: ${types}.`,
    too_many_files: (limit) => `Wybrano za dużo plików. Dozwolona liczba plików: ${limit}.`,
  },
};
