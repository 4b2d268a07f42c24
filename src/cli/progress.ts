const INTERVAL_MS = 1_000;

/** Awaits `work` and writes a line with its progress every second. */
export async function withProgress<T>(
  write: (text: string) => void,
  progress: () => string,
  work: Promise<T>,
): Promise<T> {
  const timer = setInterval(() => write(`${progress()}\n`), INTERVAL_MS);
  try {
    return await work;
  } finally {
    clearInterval(timer);
  }
}
