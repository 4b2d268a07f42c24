// Sends the form of the landing page to the address that its visitor enters.
const form = document.querySelector('.try');
const address = document.getElementById('form-address');
form.querySelector('button').disabled = false;
form.addEventListener('submit', () => {
  form.action = address.value;
});
