/** @jsxRuntime automatic @jsxImportSource hono/jsx */

/** The title of an account page, with the user's email address. */
export function AccountHead({ title, email }: Readonly<{ title: string; email: string }>) {
  return (
    <div class="head">
      <div>
        <h1>{title}</h1>
        <p class="soft">{email}</p>
      </div>
    </div>
  );
}

/** Tells password managers which account a password field belongs to. */
export function UsernameHint({ email }: Readonly<{ email: string }>) {
  return <input type="email" value={email} autocomplete="username" readonly hidden />;
}
