const PROGRESS_MS = 1_000;

/** Says now and then how far some work has come. */
export async function telling<T>(complain: (text: string) => void, how: () => string, work: Promise<T>): Promise<T> {
  const timer = setInterval(() => complain(`${how()}\n`), PROGRESS_MS);
  try {
    return await work;
  } finally {
    clearInterval(timer);
  }
}
