import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';
import { until } from './until.ts';

/**
 * Where a conversation stands: CONN before the greeting; EHLO to DATA before the answer to that command; BODY once the
 * client may send the message and none of it was read; END when it was received whole; ACCEPTED when it was recorded and
 * the client does not know yet.
 */
export type Stage = 'CONN' | 'EHLO' | 'AUTH' | 'MAIL' | 'RCPT' | 'DATA' | 'BODY' | 'END' | 'ACCEPTED';

/**
 * What the server does there: an answer such as `451 Try later`, or no answer at all, one that never ends, or an end of the
 * connection; nothing means to go on. A promise holds the conversation. BODY and ACCEPTED know no answers.
 */
export type Verdict = Answer | 'hang' | 'drip' | 'drop' | undefined;

export type Answer = Readonly<{ code: number; text: string }>;

/** A conversation so far; `line` is the command, empty where there is none. */
export type Moment = Readonly<{ stage: Stage; connection: string; line: string; to: readonly string[] }>;

/** A message that the server took responsibility for. */
export type Received = Readonly<{
  connection: string;
  from: string;
  to: readonly string[];
  user: string | null;
  isEncrypted: boolean;
  raw: Buffer;
  /** With its angle brackets. */
  messageId: string;
}>;

export type SmtpSink = Readonly<{
  /** With the credentials, if it wants any. */
  url: string;
  port: number;
  /** In the order of their acceptance. */
  mails: readonly Received[];
  /** How often each stage was reached. */
  seen: ReadonlyMap<Stage, number>;
  /** Sets what is done from now on. */
  onMoment: (judge: (moment: Moment) => Verdict | Promise<Verdict>) => void;
  /** Fulfilled once so many mails were accepted. */
  arrived: (count: number) => Promise<void>;
  /** Fulfilled once a stage was reached so often. */
  reached: (stage: Stage, count?: number) => Promise<void>;
  /** Ends all connections. */
  cut: () => void;
  stop: () => Promise<void>;
}>;

type Options = Readonly<{
  /** Without these it wants none. */
  login?: Readonly<{ user: string; pass: string }>;
  /** `implicit` is TLS from the first byte. The certificate is one that nobody should trust. */
  tls?: 'none' | 'starttls' | 'implicit';
  /** 0 for any that is free. */
  port?: number;
}>;

type Connection = SMTPServer['connections'] extends Set<infer Each> ? Each : never;

/** A real mail server on a socket of this machine that records what it gets and does what a test tells it. */
export async function startSmtp({ login, tls = 'none', port: wanted = 0 }: Options = {}): Promise<SmtpSink> {
  const mails: Received[] = [];
  const seen = new Map<Stage, number>();
  let judge: (moment: Moment) => Verdict | Promise<Verdict> = () => undefined;

  const at = async (stage: Stage, { id, session }: Connection, line = ''): Promise<Verdict> => {
    seen.set(stage, (seen.get(stage) ?? 0) + 1);
    return judge({ stage, connection: id, line, to: session.envelope.rcptTo.map(({ address }) => address) });
  };
  /** Does what is to be done; whether the conversation goes on. */
  const goesOn = (verdict: Verdict, connection: Connection, refuse: (answer: Answer) => void): boolean => {
    if (verdict === undefined) return true;
    if (verdict === 'drop') connection._socket.destroy();
    else if (verdict === 'drip') drip(connection);
    else if (verdict !== 'hang') refuse(verdict);
    return false;
  };

  class Sink extends SMTPServer {
    override connect(...[socket, options]: Parameters<SMTPServer['connect']>): void {
      super.connect(socket, options);
      for (const connection of this.connections) if (connection._socket === socket) intercept(connection);
    }
  }

  const intercept = (connection: Connection) => {
    for (const stage of ['EHLO', 'HELO', 'AUTH', 'MAIL', 'RCPT', 'DATA'] as const) {
      const handle = connection[`handler_${stage}`].bind(connection);
      connection[`handler_${stage}`] = async (command, done) => {
        const verdict = await at(stage === 'HELO' ? 'EHLO' : stage, connection, command.toString());
        const refuse = ({ code, text }: Answer) => {
          connection.send(code, text);
          done();
        };
        if (goesOn(verdict, connection, refuse)) handle(command, done);
      };
    }
    // Greets at once: the library waits 100 ms to catch clients that talk first.
    const greet = connection.connectionReady.bind(connection);
    connection.connectionReady = () => {};
    greet();
  };
  const connectionOf = ({ id }: Readonly<{ id: string }>): Connection => {
    for (const connection of server.connections) if (connection.id === id) return connection;
    throw new Error('the connection is gone');
  };

  const server = new Sink({
    logger: false,
    disableReverseLookup: true,
    allowInsecureAuth: true,
    authOptional: !login,
    closeTimeout: 1,
    secure: tls === 'implicit',
    hideSTARTTLS: tls !== 'starttls',
    disabledCommands: login ? [] : ['AUTH'],
    onConnect: async (session, done) => {
      const connection = connectionOf(session);
      if (goesOn(await at('CONN', connection), connection, (answer) => done(refusal(answer)))) done();
    },
    onAuth: ({ username, password }, _, done) => {
      if (username === login?.user && password === login?.pass) done(null, { user: username });
      else done(refusal({ code: 535, text: '5.7.8 Wrong user or password' }));
    },
    onData: async (stream, session, done) => {
      const connection = connectionOf(session);
      const { mailFrom, rcptTo } = session.envelope;
      const refuse = (answer: Answer) => done(refusal(answer));
      if (!goesOn(await at('BODY', connection), connection, refuse)) return;
      const chunks: Buffer[] = [];
      try {
        for await (const chunk of stream) chunks.push(chunk);
      } catch {
        return;
      }
      if (!goesOn(await at('END', connection), connection, refuse)) return;
      const raw = Buffer.concat(chunks);
      mails.push({
        connection: session.id,
        from: mailFrom ? mailFrom.address : '',
        to: rcptTo.map(({ address }) => address),
        user: typeof session.user === 'string' ? session.user : null,
        isEncrypted: session.secure,
        raw,
        messageId: /^message-id:\s*(<[^>]*>)/im.exec(raw.toString('latin1'))?.[1] ?? '',
      });
      if (goesOn(await at('ACCEPTED', connection), connection, refuse)) done();
    },
  });
  // Those who are killed leave half a conversation.
  server.on('error', () => {});

  await new Promise<void>((resolve) => server.listen(wanted, '127.0.0.1', resolve));
  const { port } = server.server.address() as AddressInfo;
  const credentials = login ? `${encodeURIComponent(login.user)}:${encodeURIComponent(login.pass)}@` : '';
  const trust = tls === 'none' ? '' : '/?tls.rejectUnauthorized=false';
  const cut = () => {
    for (const { _socket } of server.connections) _socket.destroy();
  };

  return {
    url: `${tls === 'implicit' ? 'smtps' : 'smtp'}://${credentials}127.0.0.1:${port}${trust}`,
    port,
    mails,
    seen,
    onMoment: (wantedJudge) => {
      judge = wantedJudge;
    },
    arrived: async (count) => {
      await until(() => mails.length >= count, `${count} mails`);
    },
    reached: async (stage, count = 1) => {
      await until(() => (seen.get(stage) ?? 0) >= count, `stage ${stage} of the mail server, ${count} times`);
    },
    cut,
    stop: async () => {
      const closed = new Promise<void>((resolve) => server.close(resolve));
      cut();
      await closed;
    },
  };
}

function refusal({ code, text }: Answer): Error {
  return Object.assign(new Error(text), { responseCode: code });
}

/** A line every tenth of a second, of which none is the last. */
function drip({ _socket: socket }: Connection): void {
  const timer = setInterval(() => socket.write('250-wait\r\n'), 100);
  socket.once('close', () => clearInterval(timer));
}
