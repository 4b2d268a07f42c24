const LOCAL = ['localhost', '127.0.0.1', '[::1]'];

/** Returns true for a URL of this machine, which requests reach without a network. */
export const isLocalHost = ({ hostname }: URL): boolean => LOCAL.includes(hostname);
