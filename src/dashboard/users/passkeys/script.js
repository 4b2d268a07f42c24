// Asks for passkeys: each button names the address of the options, and its hidden field takes the browser's answer.
import {
  browserSupportsWebAuthn,
  browserSupportsWebAuthnAutofill,
  startAuthentication,
  startRegistration,
} from '@simplewebauthn/browser';

/** A challenge is valid for five minutes. */
const RENEW_MS = 4 * 60_000;

const prepare = (button) => {
  const { form, dataset } = button;
  const field = form.elements[dataset.field];
  const message = button.parentElement.querySelector('[role=alert]');
  const tell = (text) => {
    message.textContent = text;
    message.hidden = text === '';
  };
  if (!browserSupportsWebAuthn()) return tell(dataset.unsupported);
  const ask = async (useBrowserAutofill) => {
    const optionsJSON = await fetch(dataset.passkey).then((answer) => answer.json());
    const isNew = dataset.field === 'credential';
    return isNew ? startRegistration({ optionsJSON }) : startAuthentication({ optionsJSON, useBrowserAutofill });
  };
  const finish = (answer) => {
    field.value = JSON.stringify(answer);
    if (button.type === 'submit') return form.requestSubmit();
    // In place of the password. What else the form asks for may be missing, or there may be a choice of buttons.
    if (form.elements.password) form.elements.password.disabled = true;
    button.disabled = true;
    button.textContent = dataset.done;
    const [submit, other] = form.querySelectorAll('button:not([type], [data-passkey])');
    if (submit && !other && form.checkValidity()) form.requestSubmit(submit);
  };
  let timer;
  // Offers passkeys among the addresses that the browser suggests. A newer question aborts the earlier one.
  const offer = async () => {
    if (!dataset.autofill || !(await browserSupportsWebAuthnAutofill())) return;
    timer = setTimeout(offer, RENEW_MS);
    await ask(true).then(finish, () => {});
  };
  button.addEventListener('click', async (event) => {
    event.preventDefault();
    if (button.type === 'submit' && !form.reportValidity()) return;
    clearTimeout(timer);
    tell('');
    try {
      finish(await ask(false));
    } catch ({ code }) {
      tell(code === 'ERROR_AUTHENTICATOR_PREVIOUSLY_REGISTERED' ? dataset.known : dataset.canceled);
      offer();
    }
  });
  button.hidden = false;
  offer();
};

for (const button of document.querySelectorAll('button[data-passkey]')) prepare(button);
