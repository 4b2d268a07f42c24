import type { VisitorTexts } from './en.ts';

export const ES: VisitorTexts = {
  thanks: { title: 'Gracias', text: 'Hemos recibido su mensaje.', message: 'Gracias, hemos recibido su mensaje.' },
  refused: 'Su mensaje no se ha enviado',
  back: 'Volver a la página',
  closed: 'Este formulario está cerrado',
  notFound: 'Formulario no encontrado',
  failed: 'Se ha producido un error',
  keep: 'El botón Atrás de su navegador vuelve al formulario con los datos introducidos.',
  later: 'Inténtelo más tarde o póngase en contacto por otro medio.',
  address: {
    title: 'Esta es la dirección de un formulario',
    text: 'Los sitios web envían aquí sus formularios. En esta dirección no hay nada que rellenar.',
    use: 'Para recibir aquí su formulario, use esta dirección como action:',
    manual: 'Leer el manual (en inglés)',
  },
  check: {
    title: 'Un paso más',
    text: 'Complete la verificación antispam y envíe su mensaje. Sus datos se conservan.',
  },
  confirm: {
    sent: 'Le hemos enviado un correo. Abra el enlace que contiene para confirmar su dirección.',
    ask: 'Confirme su dirección de correo',
    text: 'Su mensaje se entregará en cuanto confirme.',
    button: 'Confirmar dirección',
    done: 'Dirección confirmada',
    gone: 'Este enlace ha caducado o está incompleto',
    again: 'Rellene de nuevo el formulario.',
  },
  hosted: {
    title: 'Formulario',
    until: (when) => `Abierto hasta el ${when}`,
    scale: (best) => `1 es la puntuación más baja, ${best} la más alta`,
    send: 'Enviar',
    optional: 'Opcional',
    choose: 'Elija una opción',
    leaveEmpty: 'Deje este campo vacío',
    filesAgain: 'Vuelva a elegir sus archivos.',
    needsScript: 'La comprobación antispam de este formulario necesita JavaScript. Actívelo y recargue la página.',
  },
  refusals: {
    empty: 'El formulario está vacío. Rellene al menos un campo.',
    fields: 'Algunos datos faltan o deben corregirse.',
    unreadable: 'No se ha podido leer el formulario. Revise los datos e inténtelo de nuevo.',
    tooLarge: (limit) =>
      `El formulario es demasiado grande. Acorte los textos o elija archivos más pequeños. Tamaño máximo: ${limit}.`,
    tooManyFields: (limit) => `El formulario tiene demasiados campos. Se permiten como máximo ${limit} campos.`,
    nameTooLong: (limit) =>
      `El formulario tiene un nombre de campo demasiado largo. Se permiten como máximo ${limit} bytes.`,
    tooDeep: (limit) =>
      `Los datos del formulario tienen demasiados niveles anidados. Se permiten como máximo ${limit} niveles.`,
    unsupported: (types) =>
      `El formulario se ha enviado en un formato no admitido. Formatos admitidos, sin Content-Encoding: ${types}.`,
    tooManyFiles: 'Hay demasiados archivos. Envíe menos a la vez.',
    fileTooLarge: 'Uno de los archivos es demasiado grande. Elija uno más pequeño.',
    fileType: 'Este formulario no acepta este tipo de archivo. Elija otro.',
    tooSlow: 'El envío de su mensaje ha tardado demasiado. Compruebe su conexión e inténtelo de nuevo.',
    notOpen: (when) => `Este formulario aún no está abierto. Se abrirá el ${when}.`,
    ended: (when) => `Este formulario se cerró el ${when}.`,
    full: 'Este formulario está completo y no acepta más mensajes.',
    email: 'Introduzca una dirección de correo válida en el campo «email».',
    already: 'Ya se ha recibido un mensaje con esta dirección de correo electrónico.',
    paused: 'Este formulario no acepta mensajes en este momento.',
    notFound: 'No hay ningún formulario en esta dirección.',
    origin: 'Este formulario no acepta mensajes desde esta página.',
    invalidKey:
      'Hay un problema con la página anterior. Vuelva a cargarla e inténtelo de nuevo. (Idempotency-Key tiene de 1 a 255 caracteres ASCII imprimibles.)',
    inProgress: 'Su mensaje ya se está enviando. Espere un momento antes de volver a intentarlo.',
    reusedKey: 'Este formulario ya se ha enviado con otro contenido. Vuelva a cargar la página y rellénelo de nuevo.',
    challengeMissing: 'Complete la verificación antispam y envíe el formulario de nuevo.',
    challengeFailed: 'La verificación antispam ha fallado o ha caducado. Inténtelo de nuevo.',
    challengeUnavailable:
      'La verificación antispam no está disponible en este momento y su mensaje no se ha guardado. Inténtelo de nuevo dentro de un minuto.',
    noChallenge: 'Este formulario no utiliza la verificación antispam «altcha».',
    busy: 'Están llegando demasiados mensajes a la vez y el suyo no se ha guardado. Inténtelo de nuevo dentro de un minuto.',
    monthlyLimit: (day) => `Este formulario no acepta más mensajes este mes. Volverá a abrirse el ${day}.`,
    rateLimit: (wait) => `Se han enviado demasiados mensajes desde su red. Inténtelo de nuevo dentro de ${wait}.`,
    internal:
      'Se ha producido un error por nuestra parte y su mensaje no se ha guardado. Inténtelo de nuevo dentro de un minuto.',
  },
};
