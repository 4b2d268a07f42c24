/** @jsxRuntime automatic @jsxImportSource hono/jsx */

/** An error above a form, if there is one. Screen readers announce it. */
export function ErrorMessage({ error }: Readonly<{ error: string | null | undefined }>) {
  if (!error) return null;
  return (
    <p class="error" role="alert">
      {error}
    </p>
  );
}
