// Asks for passkeys: each button names the address of the options, and its hidden field takes the browser's answer.
import {
  browserSupportsWebAuthn,
  browserSupportsWebAuthnAutofill,
  startAuthentication,
  startRegistration,
} from '@simplewebauthn/browser';

/** Less than the five minutes for which a challenge is valid. */
const RENEW_MS = 4 * 60_000;

const prepare = (button) => {
  const { form, dataset } = button;
  const message = button.parentElement.querySelector('[role=alert]');
  const tell = (text) => {
    message.textContent = text;
    message.hidden = text === '';
  };
  if (!browserSupportsWebAuthn()) return tell(dataset.unsupported);
  const ask = async (useBrowserAutofill) => {
    const optionsJSON = await fetch(dataset.passkey).then((answer) => answer.json());
    return optionsJSON.user
      ? startRegistration({ optionsJSON })
      : startAuthentication({ optionsJSON, useBrowserAutofill });
  };
  const finish = (answer) => {
    form.elements[dataset.field].value = JSON.stringify(answer);
    if (button.type === 'submit') return form.requestSubmit();
    // Stands in for the password. The form may ask for more, or have several buttons.
    if (form.elements.password) form.elements.password.disabled = true;
    button.disabled = true;
    button.textContent = dataset.confirmed;
    const [submit, other] = form.querySelectorAll('button:not([type])');
    if (submit && !other && form.checkValidity()) form.requestSubmit(submit);
  };
  let timer;
  // Offers passkeys among the suggested addresses. A newer question aborts the earlier one.
  const offer = async () => {
    if (!dataset.suggested || !(await browserSupportsWebAuthnAutofill())) return;
    timer = setTimeout(offer, RENEW_MS);
    ask(true).then(finish, () => {});
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
