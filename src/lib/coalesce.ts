/**
 * Answers the same question once a turn of the event loop, however many ask. Those who share an answer asked at the
 * same moment, so none of them gets one that was out of date when it asked.
 */
export function coalesce<Answer>(ask: (name: string) => Promise<Answer>): (name: string) => Promise<Answer> {
  const answers = new Map<string, Promise<Answer>>();
  return (name) => {
    const known = answers.get(name);
    if (known) return known;
    if (answers.size === 0) setImmediate(() => answers.clear());
    const answer = ask(name);
    answers.set(name, answer);
    return answer;
  };
}
