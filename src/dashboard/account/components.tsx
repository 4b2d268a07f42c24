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
