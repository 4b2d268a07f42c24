/** Idle timeout of connections. Requests with a later deadline suspend it. */
export const IDLE_SECONDS = 120;
