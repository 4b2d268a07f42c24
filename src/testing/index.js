import { ServerProcess } from './server-process.js';

/** Less than the 5 s after which Bun and Vitest end a test, so that the error is shown. */
const TIMEOUT_MS = 3_000;
/** Names of forms that would hide a property of the server, or make it look like a promise. */
const RESERVED = ['url', 'apiKey', 'form', 'mails', 'clear', 'stop', 'then'];

/** Starts a server with these forms on a free port. Resolves when it accepts submissions. */
export async function startFormstead({ forms } = {}) {
  requireNames(forms);
  const server = new ServerProcess();
  try {
    const { url, apiKey, formIds } = await server.call('start', { forms, folder: process.cwd() });
    const named = new Map(
      forms.map(({ name }, index) => [name, testForm(server, { index, name, url, id: formIds[index] })]),
    );
    return {
      ...Object.fromEntries(named),
      url,
      apiKey,
      form: (name) => named.get(name) ?? unknownForm(name, named),
      mails: () => server.call('mails'),
      clear: () => server.call('clear'),
      stop: () => server.stop(),
      [Symbol.asyncDispose]: () => server.stop(),
    };
  } catch (error) {
    await server.stop();
    throw error;
  }
}

function testForm(server, { index, name, url, id }) {
  return {
    id,
    url: `${url}/v1/forms/${id}/submissions`,
    submissions: () => server.call('submissions', index),
    nextSubmission: async ({ timeout = TIMEOUT_MS } = {}) => {
      const submission = await server.call('nextSubmission', index, timeout);
      if (submission !== null) return submission;
      throw new Error(
        `No submission to the form "${name}" arrived within ${timeout} ms. Check the response to the post.`,
      );
    },
  };
}

function unknownForm(name, named) {
  throw new Error(
    `There is no form "${name}". The forms are: ${Array.from(named.keys(), (one) => `"${one}"`).join(', ')}.`,
  );
}

/** Throws unless `forms` is a list whose names can be properties of the server. */
function requireNames(forms) {
  if (!Array.isArray(forms)) throw new TypeError("forms must be a list of settings, such as [{ name: 'contact' }].");
  for (const [index, form] of forms.entries()) {
    const name = form?.name;
    if (!RESERVED.includes(name) && !(name in Object.prototype)) continue;
    throw new Error(
      `forms[${index}] must not be named "${name}": the server has a property of this name. Rename the form.`,
    );
  }
}
