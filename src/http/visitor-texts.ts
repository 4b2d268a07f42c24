import type { ErrorCode } from '../domain/errors.ts';

/** What the page after a form says in one language. */
type Texts = Readonly<{
  thanks: readonly [title: string, text: string];
  /** The title over every refusal. */
  refused: string;
  back: string;
  empty: string;
  unreadable: string;
  tooLarge: string;
  files: string;
  paused: string;
  unknown: string;
  cap: string;
  rate: string;
  failed: string;
}>;

const TEXTS = {
  en: {
    thanks: ['Thank you', 'Your message was received.'],
    refused: 'Your message was not sent',
    back: 'Back to the page',
    empty: 'The form was sent empty. Please fill in at least one field.',
    unreadable: 'The form could not be read. Please check your entries and try again.',
    tooLarge: 'The form is too large. Please shorten your entries.',
    files: 'This kind of content, such as a file, is not accepted here.',
    paused: 'This form takes no messages at the moment.',
    unknown: 'There is no form at this address.',
    cap: 'This form takes no more messages this month.',
    rate: 'Too many messages came from your address. Please wait a minute and try again.',
    failed: 'Something went wrong on our side and nothing was saved. Please try again in a minute.',
  },
  de: {
    thanks: ['Vielen Dank', 'Ihre Nachricht ist angekommen.'],
    refused: 'Ihre Nachricht wurde nicht gesendet',
    back: 'Zurück zur Seite',
    empty: 'Das Formular war leer. Bitte füllen Sie mindestens ein Feld aus.',
    unreadable:
      'Das Formular konnte nicht gelesen werden. Bitte prüfen Sie Ihre Angaben und versuchen Sie es noch einmal.',
    tooLarge: 'Das Formular ist zu groß. Bitte kürzen Sie Ihre Angaben.',
    files: 'Inhalte dieser Art, etwa Dateien, werden hier nicht angenommen.',
    paused: 'Dieses Formular nimmt zurzeit keine Nachrichten an.',
    unknown: 'Unter dieser Adresse gibt es kein Formular.',
    cap: 'Dieses Formular nimmt in diesem Monat keine Nachrichten mehr an.',
    rate: 'Von Ihrer Adresse kamen zu viele Nachrichten. Bitte warten Sie eine Minute und versuchen Sie es noch einmal.',
    failed:
      'Bei uns ist ein Fehler aufgetreten, nichts wurde gespeichert. Bitte versuchen Sie es in einer Minute noch einmal.',
  },
  fr: {
    thanks: ['Merci', 'Votre message a bien été reçu.'],
    refused: 'Votre message n’a pas été envoyé',
    back: 'Retour à la page',
    empty: 'Le formulaire était vide. Veuillez remplir au moins un champ.',
    unreadable: 'Le formulaire n’a pas pu être lu. Veuillez vérifier votre saisie et réessayer.',
    tooLarge: 'Le formulaire est trop volumineux. Veuillez raccourcir votre saisie.',
    files: 'Ce type de contenu, par exemple un fichier, n’est pas accepté ici.',
    paused: 'Ce formulaire n’accepte pas de messages pour le moment.',
    unknown: 'Il n’y a pas de formulaire à cette adresse.',
    cap: 'Ce formulaire n’accepte plus de messages ce mois-ci.',
    rate: 'Trop de messages sont venus de votre adresse. Veuillez patienter une minute et réessayer.',
    failed: 'Une erreur s’est produite de notre côté et rien n’a été enregistré. Veuillez réessayer dans une minute.',
  },
  es: {
    thanks: ['Gracias', 'Hemos recibido su mensaje.'],
    refused: 'Su mensaje no se ha enviado',
    back: 'Volver a la página',
    empty: 'El formulario estaba vacío. Rellene al menos un campo.',
    unreadable: 'No se ha podido leer el formulario. Revise los datos e inténtelo de nuevo.',
    tooLarge: 'El formulario es demasiado grande. Acorte los datos.',
    files: 'Aquí no se acepta este tipo de contenido, por ejemplo un archivo.',
    paused: 'Este formulario no acepta mensajes en este momento.',
    unknown: 'No hay ningún formulario en esta dirección.',
    cap: 'Este formulario no acepta más mensajes este mes.',
    rate: 'Han llegado demasiados mensajes desde su dirección. Espere un minuto e inténtelo de nuevo.',
    failed:
      'Se ha producido un error por nuestra parte y no se ha guardado nada. Inténtelo de nuevo dentro de un minuto.',
  },
  pt: {
    thanks: ['Obrigado', 'A sua mensagem foi recebida.'],
    refused: 'A sua mensagem não foi enviada',
    back: 'Voltar à página',
    empty: 'O formulário estava vazio. Preencha pelo menos um campo.',
    unreadable: 'Não foi possível ler o formulário. Verifique os dados e tente novamente.',
    tooLarge: 'O formulário é demasiado grande. Encurte os dados.',
    files: 'Este tipo de conteúdo, por exemplo um ficheiro, não é aceite aqui.',
    paused: 'Este formulário não aceita mensagens neste momento.',
    unknown: 'Não existe nenhum formulário neste endereço.',
    cap: 'Este formulário não aceita mais mensagens este mês.',
    rate: 'Chegaram demasiadas mensagens do seu endereço. Aguarde um minuto e tente novamente.',
    failed: 'Ocorreu um erro do nosso lado e nada foi guardado. Tente novamente dentro de um minuto.',
  },
  it: {
    thanks: ['Grazie', 'Il Suo messaggio è stato ricevuto.'],
    refused: 'Il Suo messaggio non è stato inviato',
    back: 'Torna alla pagina',
    empty: 'Il modulo era vuoto. Compili almeno un campo.',
    unreadable: 'Non è stato possibile leggere il modulo. Controlli i dati e riprovi.',
    tooLarge: 'Il modulo è troppo grande. Abbrevi i dati.',
    files: 'Questo tipo di contenuto, ad esempio un file, qui non è accettato.',
    paused: 'Al momento questo modulo non accetta messaggi.',
    unknown: 'A questo indirizzo non c’è alcun modulo.',
    cap: 'Questo modulo non accetta altri messaggi per questo mese.',
    rate: 'Dal Suo indirizzo sono arrivati troppi messaggi. Attenda un minuto e riprovi.',
    failed: 'Si è verificato un errore da parte nostra e non è stato salvato nulla. Riprovi tra un minuto.',
  },
  nl: {
    thanks: ['Bedankt', 'Uw bericht is ontvangen.'],
    refused: 'Uw bericht is niet verzonden',
    back: 'Terug naar de pagina',
    empty: 'Het formulier was leeg. Vul ten minste één veld in.',
    unreadable: 'Het formulier kon niet worden gelezen. Controleer uw gegevens en probeer het opnieuw.',
    tooLarge: 'Het formulier is te groot. Kort uw gegevens in.',
    files: 'Dit soort inhoud, zoals een bestand, wordt hier niet aangenomen.',
    paused: 'Dit formulier neemt op dit moment geen berichten aan.',
    unknown: 'Er is geen formulier op dit adres.',
    cap: 'Dit formulier neemt deze maand geen berichten meer aan.',
    rate: 'Er kwamen te veel berichten van uw adres. Wacht een minuut en probeer het opnieuw.',
    failed: 'Er ging bij ons iets mis en er is niets opgeslagen. Probeer het over een minuut opnieuw.',
  },
  pl: {
    thanks: ['Dziękujemy', 'Wiadomość została odebrana.'],
    refused: 'Wiadomość nie została wysłana',
    back: 'Wróć do strony',
    empty: 'Formularz był pusty. Proszę wypełnić co najmniej jedno pole.',
    unreadable: 'Nie udało się odczytać formularza. Proszę sprawdzić dane i spróbować ponownie.',
    tooLarge: 'Formularz jest za duży. Proszę skrócić dane.',
    files: 'Tego rodzaju treść, na przykład plik, nie jest tu przyjmowana.',
    paused: 'Ten formularz nie przyjmuje obecnie wiadomości.',
    unknown: 'Pod tym adresem nie ma formularza.',
    cap: 'Ten formularz nie przyjmuje już wiadomości w tym miesiącu.',
    rate: 'Z tego adresu przyszło zbyt wiele wiadomości. Proszę odczekać minutę i spróbować ponownie.',
    failed: 'Po naszej stronie wystąpił błąd i nic nie zostało zapisane. Proszę spróbować ponownie za minutę.',
  },
  ja: {
    thanks: ['ありがとうございます', 'メッセージを受け付けました。'],
    refused: 'メッセージは送信されませんでした',
    back: '元のページに戻る',
    empty: 'フォームが空です。少なくとも一つの項目を入力してください。',
    unreadable: 'フォームを読み取れませんでした。入力内容を確認して、もう一度お試しください。',
    tooLarge: 'フォームが大きすぎます。入力内容を短くしてください。',
    files: 'ファイルなど、この種類の内容は受け付けていません。',
    paused: 'このフォームは現在メッセージを受け付けていません。',
    unknown: 'このアドレスにフォームはありません。',
    cap: 'このフォームは今月、これ以上メッセージを受け付けていません。',
    rate: 'お使いのアドレスからの送信が多すぎます。一分ほど待って、もう一度お試しください。',
    failed: 'こちら側でエラーが発生し、何も保存されませんでした。一分ほど待って、もう一度お試しください。',
  },
  zh: {
    thanks: ['谢谢', '您的留言已收到。'],
    refused: '您的留言未能发送',
    back: '返回页面',
    empty: '表单是空的。请至少填写一项。',
    unreadable: '无法读取表单。请检查填写的内容后重试。',
    tooLarge: '表单过大。请缩短填写的内容。',
    files: '此处不接受此类内容，例如文件。',
    paused: '此表单目前不接收留言。',
    unknown: '此地址没有表单。',
    cap: '此表单本月不再接收留言。',
    rate: '来自您地址的留言过多。请稍等一分钟后重试。',
    failed: '我们这边出现错误，内容未能保存。请一分钟后重试。',
  },
} satisfies Record<string, Texts>;

export type Language = keyof typeof TEXTS;

/** English first: it is what those who read none of these get. */
export const LANGUAGES = Object.keys(TEXTS) as Language[];

type Refusals = Exclude<keyof Texts, 'thanks' | 'refused' | 'back'>;

const TEXT_OF_CODE: Partial<Record<ErrorCode, Refusals>> = {
  empty_submission: 'empty',
  body_too_large: 'tooLarge',
  value_too_long: 'tooLarge',
  unsupported_content_type: 'files',
  form_paused: 'paused',
  form_not_found: 'unknown',
  submission_cap_reached: 'cap',
  rate_limited: 'rate',
  internal_error: 'failed',
  storage_unavailable: 'failed',
  unreadable_body: 'unreadable',
  too_many_fields: 'unreadable',
  name_too_long: 'unreadable',
  too_deep: 'unreadable',
};

/** What the page after a success says. */
export function thanksTexts(language: Language): Readonly<{ title: string; text: string; back: string }> {
  const { thanks, back } = TEXTS[language];
  const [title, text] = thanks;
  return { title: title ?? '', text: text ?? '', back };
}

/** What the page after a refusal says; the reason is told in general words. */
export function refusalTexts(language: Language, code: ErrorCode): ReturnType<typeof thanksTexts> {
  const texts: Texts = TEXTS[language];
  return { title: texts.refused, text: texts[TEXT_OF_CODE[code] ?? 'failed'], back: texts.back };
}
