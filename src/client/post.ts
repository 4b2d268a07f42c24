/** The body of an answer of the endpoint. */
export type Answer = Readonly<{
  success: boolean;
  /** Present if the visitor has to open the link in a mail first. */
  confirmation_required?: boolean;
  message: string;
  code?: string;
  errors?: Array<{ field: string; message: string }>;
  redirect_url?: string;
  /** The path of the ALTCHA challenge to solve first: the submission may be spam. */
  challenge_url?: string;
}>;

/** An HTTP response. `answer` is null if it is not from Formstead. */
export type Reply = Readonly<{ answer: Answer | null; status: number; retryAfter: number }>;

/** Options of a request, as `fetch` takes them. */
export type Post = Readonly<{ method: 'POST'; body: FormData | Blob; headers: Readonly<Record<string, string>> }>;

/** Sends a post. Rejects after a network error. */
export type Send = (url: string, post: Post) => Promise<Reply>;

/** Sends a post by `fetch`. */
export const sendByFetch = async (url: string, post: Post & { signal?: AbortSignal }): Promise<Reply> => {
  const response = await fetch(url, post);
  return toReply(await response.text(), response.status, response.headers.get('Retry-After'));
};

/** Returns the reply for a response. Its answer is null unless the text is an answer of the endpoint. */
export const toReply = (text: string, status: number, retryAfter: string | null): Reply => {
  let answer: Answer | null = null;
  try {
    const json = JSON.parse(text);
    if (typeof json.success === 'boolean') answer = json;
  } catch {}
  return { answer, status, retryAfter: Number(retryAfter) || 0 };
};

/** Returns whether an earlier attempt is still being processed. */
export const isInProgress = ({ answer }: Reply): boolean => answer?.code === 'idempotency_key_in_use';
