import type { VisitorTexts } from './index.ts';

export const PT: VisitorTexts = {
  thanks: {
    title: 'Obrigado',
    text: 'A sua mensagem foi recebida.',
    message: 'Obrigado, a sua mensagem foi recebida.',
  },
  refused: 'A sua mensagem não foi enviada',
  back: 'Voltar à página',
  refusals: {
    empty: 'O formulário está vazio. Preencha pelo menos um campo.',
    fields: 'Alguns dados estão em falta ou precisam de ser corrigidos.',
    unreadable: 'Não foi possível ler o formulário. Verifique os dados e tente novamente.',
    tooLarge: (limit) =>
      `O formulário é demasiado grande. Encurte os textos ou escolha ficheiros mais pequenos. Tamanho máximo: ${limit}.`,
    tooManyFields: (limit) => `O formulário tem demasiados campos. Número máximo de campos: ${limit}.`,
    nameTooLong: (limit) => `O formulário tem um nome de campo demasiado longo. Número máximo de bytes: ${limit}.`,
    tooDeep: (limit) =>
      `Os dados do formulário têm demasiados níveis de aninhamento. Número máximo de níveis: ${limit}.`,
    unsupported: (types) =>
      `O formulário foi enviado num formato não suportado. Formatos suportados, sem Content-Encoding: ${types}.`,
    tooManyFiles: 'Há demasiados ficheiros. Envie menos de cada vez.',
    fileTooLarge: 'Um dos ficheiros é demasiado grande. Escolha um mais pequeno.',
    fileType: 'Este formulário não aceita este tipo de ficheiro. Escolha outro.',
    tooSlow: 'O envio da sua mensagem demorou demasiado. Verifique a ligação e tente novamente.',
    paused: 'Este formulário não aceita mensagens neste momento.',
    notFound: 'Não existe nenhum formulário neste endereço.',
    origin: 'Este formulário não aceita mensagens a partir desta página.',
    invalidKey:
      'Há um problema com a página anterior. Recarregue-a e tente novamente. (Idempotency-Key tem entre 1 e 255 carateres ASCII imprimíveis.)',
    inProgress: 'A sua mensagem já está a ser enviada. Aguarde um momento antes de tentar novamente.',
    reusedKey: 'Este formulário já foi enviado com outro conteúdo. Recarregue a página e preencha-o novamente.',
    challengeMissing: 'Conclua a verificação antispam e envie o formulário novamente.',
    challengeFailed: 'A verificação antispam falhou ou expirou. Tente novamente.',
    challengeUnavailable:
      'A verificação antispam não está disponível neste momento e a sua mensagem não foi guardada. Tente novamente dentro de um minuto.',
    noChallenge: 'Este formulário não utiliza a verificação antispam «altcha».',
    busy: 'Estão a chegar demasiadas mensagens ao mesmo tempo e a sua não foi guardada. Tente novamente dentro de um minuto.',
    monthlyLimit: 'Este formulário não aceita mais mensagens este mês.',
    rateLimit: (wait) => `Foram enviadas demasiadas mensagens a partir da sua rede. Tente novamente dentro de ${wait}.`,
    internal: 'Ocorreu um erro do nosso lado e a sua mensagem não foi guardada. Tente novamente dentro de um minuto.',
  },
  fieldErrors: {
    required: 'Este campo é obrigatório.',
    email: 'Indique um endereço de e-mail, por exemplo, name@example.com.',
    number: 'Indique um número, por exemplo, 42.',
    url: 'Indique um endereço web completo, por exemplo, https://example.com.',
    date: 'Indique uma data com ano, mês e dia, por exemplo, 2026-11-30.',
    checkbox: 'Esta caixa só pode ser assinalada ou deixada vazia.',
    option: 'Escolha uma das opções.',
    rating: (limit) => `Escolha uma classificação de 1 a ${limit}.`,
    phone: 'Indique um número de telefone, por exemplo, +44 20 7946 0018.',
    consent: 'Assinale esta caixa para continuar.',
    file: 'Escolha um ficheiro em vez de escrever texto.',
    text: 'Escreva apenas texto.',
    max_length: (limit) => `O texto é demasiado longo. Número máximo de carateres: ${limit}.`,
    pattern: 'O valor não tem o formato pedido.',
    too_long: (limit) => `Este texto é demasiado longo. Tamanho máximo: ${limit}.`,
    file_too_large: (limit) => `Este ficheiro é demasiado grande. Tamanho máximo: ${limit}.`,
    file_type: (types) => `Este tipo de ficheiro não é aceite. Tipos de ficheiro aceites: ${types}.`,
    too_many_files: (limit) => `Escolheu demasiados ficheiros. Número máximo de ficheiros: ${limit}.`,
  },
};
