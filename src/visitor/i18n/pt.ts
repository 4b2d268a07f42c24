import type { VisitorTexts } from './en.ts';

export const PT: VisitorTexts = {
  thanks: {
    title: 'Obrigado',
    text: 'A sua mensagem foi recebida.',
    message: 'Obrigado, a sua mensagem foi recebida.',
  },
  refused: 'A sua mensagem não foi enviada',
  back: 'Voltar à página',
  closed: 'Este formulário está fechado',
  notFound: 'Formulário não encontrado',
  failed: 'Ocorreu um erro',
  keep: 'O botão Retroceder do seu navegador volta ao formulário com os dados introduzidos.',
  later: 'Tente mais tarde ou entre em contacto por outro meio.',
  address: {
    title: 'Este é o endereço de um formulário',
    text: 'Os sites enviam os seus formulários para aqui. Neste endereço não há nada para preencher.',
    use: 'Para receber aqui o seu formulário, use este endereço como action:',
    manual: 'Ler o manual (em inglês)',
  },
  check: {
    title: 'Só mais um passo',
    text: 'Conclua a verificação antispam e envie a sua mensagem. Os seus dados mantêm-se.',
  },
  hosted: {
    title: 'Formulário',
    send: 'Enviar formulário',
    optional: 'Facultativo',
    choose: 'Escolha uma opção',
    leaveEmpty: 'Deixe este campo vazio',
    filesAgain: 'Escolha novamente os seus ficheiros.',
    needsScript: 'A verificação de spam deste formulário precisa de JavaScript. Ative-o e recarregue a página.',
  },
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
    notOpen: (when) => `Este formulário ainda não está aberto. Abre em ${when}.`,
    ended: (when) => `Este formulário foi encerrado em ${when}.`,
    full: 'Este formulário está completo e não aceita mais mensagens.',
    already: 'Já foi recebida uma mensagem com este endereço de e-mail.',
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
    monthlyLimit: (day) => `Este formulário não aceita mais mensagens este mês. Volta a abrir em ${day}.`,
    rateLimit: (wait) => `Foram enviadas demasiadas mensagens a partir da sua rede. Tente novamente dentro de ${wait}.`,
    internal: 'Ocorreu um erro do nosso lado e a sua mensagem não foi guardada. Tente novamente dentro de um minuto.',
  },
};
