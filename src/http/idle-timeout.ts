/** Idle timeout of connections. Requests with a later deadline of their own suspend it. */
export const IDLE_SECONDS = 120;
