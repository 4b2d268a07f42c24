import type { VisitorTexts } from './en.ts';

export const PL: VisitorTexts = {
  thanks: {
    title: 'Dziękujemy',
    text: 'Otrzymaliśmy Państwa wiadomość.',
    message: 'Dziękujemy, otrzymaliśmy Państwa wiadomość.',
  },
  refused: 'Wiadomość nie została wysłana',
  back: 'Wróć do strony',
  closed: 'Ten formularz jest zamknięty',
  notFound: 'Nie znaleziono formularza',
  failed: 'Wystąpił błąd',
  keep: 'Przycisk Wstecz przeglądarki przywraca formularz z wpisanymi danymi.',
  later: 'Proszę spróbować później lub skontaktować się w inny sposób.',
  address: {
    title: 'To jest adres formularza',
    text: 'Strony internetowe wysyłają tu swoje formularze. Pod tym adresem nie ma nic do wypełnienia.',
    use: 'Aby odbierać tu swój formularz, należy podać ten adres jako action:',
    manual: 'Instrukcja (po angielsku)',
  },
  check: {
    title: 'Jeszcze jeden krok',
    text: 'Proszę ukończyć weryfikację antyspamową i wysłać wiadomość. Wprowadzone dane zostały zachowane.',
  },
  hosted: {
    title: 'Formularz',
    send: 'Wyślij',
    optional: 'Nieobowiązkowe',
    choose: 'Proszę wybrać',
    leaveEmpty: 'To pole należy pozostawić puste',
    filesAgain: 'Proszę ponownie wybrać pliki.',
    needsScript: 'Ochrona przed spamem w tym formularzu wymaga JavaScriptu. Proszę go włączyć i odświeżyć stronę.',
  },
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
    notOpen: (when) => `Ten formularz nie jest jeszcze otwarty. Otwarcie: ${when}.`,
    ended: (when) => `Ten formularz został zamknięty ${when}.`,
    full: 'Limit zgłoszeń został osiągnięty. Ten formularz nie przyjmuje już wiadomości.',
    already: 'Otrzymaliśmy już wiadomość z tym adresem e-mail.',
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
    monthlyLimit: (day) => `Ten formularz nie przyjmuje już wiadomości w tym miesiącu. Będzie znów otwarty od ${day}.`,
    rateLimit: (wait) =>
      `Z tej sieci wysłano zbyt wiele wiadomości. Proszę chwilę odczekać i spróbować ponownie (pozostały czas: ${wait}).`,
    internal: 'Po naszej stronie wystąpił błąd i wiadomość nie została zapisana. Proszę spróbować ponownie za minutę.',
  },
};
