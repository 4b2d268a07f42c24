import type { VisitorTexts } from './index.ts';

export const ES: VisitorTexts = {
  thanks: {
    title: 'Gracias',
    text: 'Hemos recibido su mensaje.',
    message: 'Gracias, hemos recibido su mensaje.',
  },
  refused: 'Su mensaje no se ha enviado',
  back: 'Volver a la página',
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
    monthlyLimit: 'Este formulario no acepta más mensajes este mes.',
    rateLimit: (wait) => `Se han enviado demasiados mensajes desde su red. Inténtelo de nuevo dentro de ${wait}.`,
    internal:
      'Se ha producido un error por nuestra parte y su mensaje no se ha guardado. Inténtelo de nuevo dentro de un minuto.',
  },
  fieldErrors: {
    required: 'Este campo es obligatorio.',
    email: 'Indique una dirección de correo electrónico, por ejemplo, name@example.com.',
    number: 'Indique un número, por ejemplo, 42.',
    url: 'Indique una dirección web completa, por ejemplo, https://example.com.',
    date: 'Indique una fecha con año, mes y día, por ejemplo, 2026-11-30.',
    checkbox: 'Esta casilla solo se puede marcar o dejar vacía.',
    option: 'Elija una de las opciones.',
    rating: (limit) => `Elija una puntuación del 1 al ${limit}.`,
    phone: 'Indique un número de teléfono, por ejemplo, +44 20 7946 0018.',
    consent: 'Marque esta casilla para continuar.',
    file: 'Elija un archivo en lugar de escribir texto.',
    text: 'Escriba solo texto.',
    max_length: (limit) => `El texto es demasiado largo. Número máximo de caracteres: ${limit}.`,
    pattern: 'El valor introducido no tiene el formato solicitado.',
    too_long: (limit) => `Este texto es demasiado largo. Tamaño máximo: ${limit}.`,
    file_too_large: (limit) => `Este archivo es demasiado grande. Tamaño máximo: ${limit}.`,
    file_type: (types) => `No se acepta este tipo de archivo. Tipos permitidos: ${types}.`,
    too_many_files: (limit) => `Ha elegido demasiados archivos. Número máximo de archivos: ${limit}.`,
  },
};
