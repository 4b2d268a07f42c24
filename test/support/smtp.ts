import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';
import { until } from './until.ts';

/**
 * Stage of an SMTP session: CONN before the greeting; EHLO to DATA before the reply to that command; BODY before
 * reading the message; END after reading it; ACCEPTED after recording it, before the reply.
 */
export type Stage = 'CONN' | 'EHLO' | 'AUTH' | 'MAIL' | 'RCPT' | 'DATA' | 'BODY' | 'END' | 'ACCEPTED';

/**
 * The server's action at a stage: a reply such as `451 Try later`, no reply, an endless reply, or a dropped connection;
 * undefined continues. A promise delays the session. BODY and ACCEPTED support no reply.
 */
export type Verdict = Answer | 'hang' | 'drip' | 'drop' | undefined;

export type Answer = Readonly<{ code: number; text: string }>;

/** The state of a session at a stage; `line` is the command, or empty. */
export type Moment = Readonly<{ stage: Stage; connection: string; line: string; to: readonly string[] }>;

/** A message that the server accepted. */
export type Received = Readonly<{
  connection: string;
  from: string;
  to: readonly string[];
  user: string | null;
  isEncrypted: boolean;
  raw: Buffer;
  /** Includes the angle brackets. */
  messageId: string;
}>;

export type SmtpSink = Readonly<{
  /** Includes the credentials, if required. */
  url: string;
  port: number;
  /** Accepted mails, oldest first. */
  mails: readonly Received[];
  /** Number of times each stage was reached. */
  seen: ReadonlyMap<Stage, number>;
  /** Sets the function that decides the action at each stage. */
  onMoment: (judge: (moment: Moment) => Verdict | Promise<Verdict>) => void;
  /** Resolves after `count` mails were accepted. */
  arrived: (count: number) => Promise<void>;
  /** Resolves after a stage was reached `count` times. */
  reached: (stage: Stage, count?: number) => Promise<void>;
  /** Drops all connections. */
  cut: () => void;
  stop: () => Promise<void>;
}>;

type Options = Readonly<{
  /** Required credentials; none by default. */
  login?: Readonly<{ user: string; pass: string }>;
  /** `implicit` means TLS from the first byte. The certificate is untrusted. */
  tls?: 'none' | 'starttls' | 'implicit';
  /** The announced limit of a mail in bytes; none by default. */
  size?: number;
  /** 0 means any free port. */
  port?: number;
}>;

type Connection = SMTPServer['connections'] extends Set<infer Each> ? Each : never;

/** Starts an SMTP server on 127.0.0.1 that records mails and acts as the test decides. */
export async function startSmtp({
  login,
  tls = 'none',
  size,
  port: requestedPort = 0,
}: Options = {}): Promise<SmtpSink> {
  const mails: Received[] = [];
  const seen = new Map<Stage, number>();
  let judge: (moment: Moment) => Verdict | Promise<Verdict> = () => undefined;

  const at = async (stage: Stage, { id, session }: Connection, line = ''): Promise<Verdict> => {
    seen.set(stage, (seen.get(stage) ?? 0) + 1);
    return judge({ stage, connection: id, line, to: session.envelope.rcptTo.map(({ address }) => address) });
  };
  /** Performs the action; returns true to continue the session. */
  const mayContinue = (verdict: Verdict, connection: Connection, refuse: (answer: Answer) => void): boolean => {
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
        if (mayContinue(verdict, connection, refuse)) handle(command, done);
      };
    }
    // Greet at once: the library waits 100 ms for clients that send first.
    const greet = connection.connectionReady.bind(connection);
    connection.connectionReady = () => {};
    greet();
  };
  const connectionOf = ({ id }: Readonly<{ id: string }>): Connection => {
    for (const connection of server.connections) if (connection.id === id) return connection;
    throw new Error('The connection was closed.');
  };

  const server = new Sink({
    logger: false,
    disableReverseLookup: true,
    allowInsecureAuth: true,
    authOptional: !login,
    closeTimeout: 1,
    ...(size !== undefined && { size }),
    secure: tls === 'implicit',
    hideSTARTTLS: tls !== 'starttls',
    disabledCommands: [...(login ? [] : ['AUTH']), ...(tls === 'starttls' ? [] : ['STARTTLS'])],
    onConnect: async (session, done) => {
      const connection = connectionOf(session);
      if (mayContinue(await at('CONN', connection), connection, (answer) => done(refusal(answer)))) done();
    },
    onAuth: ({ username, password }, _, done) => {
      if (username === login?.user && password === login?.pass) done(null, { user: username });
      else done(refusal({ code: 535, text: '5.7.8 Wrong user or password' }));
    },
    onData: async (stream, session, done) => {
      const connection = connectionOf(session);
      const { mailFrom, rcptTo } = session.envelope;
      const refuse = (answer: Answer) => done(refusal(answer));
      if (!mayContinue(await at('BODY', connection), connection, refuse)) return;
      const chunks: Buffer[] = [];
      try {
        for await (const chunk of stream) chunks.push(chunk);
      } catch {
        return;
      }
      if (!mayContinue(await at('END', connection), connection, refuse)) return;
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
      if (mayContinue(await at('ACCEPTED', connection), connection, refuse)) done();
    },
  });
  // Killed clients leave incomplete sessions.
  server.on('error', () => {});

  await new Promise<void>((resolve) => server.listen(requestedPort, '127.0.0.1', resolve));
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
    onMoment: (newJudge) => {
      judge = newJudge;
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

/** Sends a continuation line every 100 ms, without an end. */
function drip({ _socket: socket }: Connection): void {
  const timer = setInterval(() => socket.write('250-wait\r\n'), 100);
  socket.once('close', () => clearInterval(timer));
}
