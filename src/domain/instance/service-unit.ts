/** Path of the systemd unit, relative to the root directory. */
export const UNIT_FILE = 'etc/systemd/system/formstead.service';

/** Facts of an installed unit: its command line without `serve`, its data directory and its settings file. */
export type ServiceUnit = Readonly<{ program: string; dataDir: string; envFile: string }>;

/** Parses a unit as `service install` writes it; null if a line is missing. */
export function parseUnit(text: string): ServiceUnit | null {
  const value = (pattern: RegExp) => pattern.exec(text)?.[1];
  const program = value(/^ExecStart=(.+) serve$/m);
  const dataDir = value(/^Environment=DATA_DIR=(\S+)$/m);
  const envFile = value(/^EnvironmentFile=-?(\S+)$/m);
  return program && dataDir && envFile ? { program, dataDir, envFile } : null;
}
