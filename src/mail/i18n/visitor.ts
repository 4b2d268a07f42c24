import { VISITOR_LANGUAGES } from '../../domain/forms/form-settings.ts';

type VisitorLanguage = (typeof VISITOR_LANGUAGES)[number];

/** The words of mails to visitors: those of the request to confirm an address, and the subject of a reply without one. */
type Texts = Readonly<{
  title: string;
  text: (form: string) => string;
  button: string;
  ignore: string;
  message: string;
}>;

const TEXTS: Readonly<Record<VisitorLanguage, Texts>> = {
  en: {
    title: 'Confirm your email address',
    text: (form) =>
      `“${form}” received a submission with this email address. Confirm it, and the submission is delivered.`,
    button: 'Confirm address',
    ignore: 'If that was not you, ignore this email: the submission is deleted after 7 days.',
    message: 'Your message',
  },
  de: {
    title: 'Bestätigen Sie Ihre E-Mail-Adresse',
    text: (form) =>
      `Bei „${form}“ ist eine Nachricht mit dieser E-Mail-Adresse eingegangen. Sobald Sie die Adresse bestätigen, wird die Nachricht zugestellt.`,
    button: 'Adresse bestätigen',
    ignore: 'Waren Sie das nicht, ignorieren Sie diese E-Mail: Die Nachricht wird nach 7 Tagen gelöscht.',
    message: 'Ihre Nachricht',
  },
  fr: {
    title: 'Confirmez votre adresse e-mail',
    text: (form) =>
      `« ${form} » a reçu un message avec cette adresse e-mail. Il sera transmis dès que vous confirmerez l’adresse.`,
    button: 'Confirmer l’adresse',
    ignore: 'Si ce n’était pas vous, ignorez cet e-mail : le message sera supprimé après 7 jours.',
    message: 'Votre message',
  },
  es: {
    title: 'Confirme su dirección de correo',
    text: (form) =>
      `«${form}» ha recibido un mensaje con esta dirección de correo. Se entregará en cuanto la confirme.`,
    button: 'Confirmar dirección',
    ignore: 'Si no ha sido usted, ignore este correo: el mensaje se eliminará después de 7 días.',
    message: 'Su mensaje',
  },
  pt: {
    title: 'Confirme o seu endereço de e-mail',
    text: (form) => `«${form}» recebeu uma mensagem com este endereço de e-mail. Será entregue assim que o confirmar.`,
    button: 'Confirmar endereço',
    ignore: 'Se não foi o próprio, ignore este e-mail: a mensagem será eliminada após 7 dias.',
    message: 'A sua mensagem',
  },
  it: {
    title: 'Confermi il Suo indirizzo e-mail',
    text: (form) =>
      `«${form}» ha ricevuto un messaggio con questo indirizzo e-mail. Sarà consegnato appena lo avrà confermato.`,
    button: 'Conferma l’indirizzo',
    ignore: 'Se non è stato Lei, ignori questa e-mail: il messaggio sarà eliminato dopo 7 giorni.',
    message: 'Il Suo messaggio',
  },
  nl: {
    title: 'Bevestig uw e-mailadres',
    text: (form) =>
      `‘${form}’ heeft een bericht met dit e-mailadres ontvangen. Het wordt bezorgd zodra u het adres bevestigt.`,
    button: 'Adres bevestigen',
    ignore: 'Was u dit niet, negeer dan deze e-mail: het bericht wordt na 7 dagen verwijderd.',
    message: 'Uw bericht',
  },
  pl: {
    title: 'Potwierdzenie adresu e-mail',
    text: (form) =>
      `Formularz „${form}” otrzymał wiadomość z tym adresem e-mail. Zostanie dostarczona po potwierdzeniu adresu.`,
    button: 'Potwierdź adres',
    ignore: 'Jeśli to nie Państwo, prosimy zignorować ten e-mail: wiadomość zostanie usunięta po 7 dniach.',
    message: 'Państwa wiadomość',
  },
  ja: {
    title: 'メールアドレスの確認',
    text: (form) => `「${form}」にこのメールアドレスで送信がありました。アドレスを確認すると、送信内容が届けられます。`,
    button: 'アドレスを確認する',
    ignore: 'お心当たりがない場合は、このメールを無視してください。送信内容は7日後に削除されます。',
    message: 'お問い合わせ',
  },
  zh: {
    title: '确认您的电子邮件地址',
    text: (form) => `“${form}”收到了使用此电子邮件地址的留言。确认地址后，留言将送达。`,
    button: '确认地址',
    ignore: '如果不是您本人操作，请忽略此邮件：留言将在 7 天后删除。',
    message: '您的留言',
  },
};

function known(language: string | null): VisitorLanguage {
  return VISITOR_LANGUAGES.find((known) => known === language) ?? 'en';
}

/** Returns the words of the mail that asks to confirm an address, and their language. */
export const confirmationTexts = (language: string) => ({ ...TEXTS[known(language)], language: known(language) });

/** Returns the subject of an auto-reply without one. */
export const yourMessage = (language: string | null): string => TEXTS[known(language)].message;
