import { chmodSync, existsSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Command } from 'commander';
import { SetupError } from '../domain/errors.ts';
import { type CliContext, printOne } from './command.ts';

const UNIT_FILE = 'etc/systemd/system/formstead.service';

/** What a person runs once the unit is there. */
const NEXT = [
  'install -m 600 /dev/null /etc/formstead.env   # then put settings into it, a NAME=value a line',
  'systemctl daemon-reload',
  'systemctl enable --now formstead',
  'journalctl -u formstead -o cat                # has the link to create your account',
];

type Options = Readonly<{ print?: boolean; root: string; json?: boolean }>;

/** `formstead service …` */
export function serviceCommand(surroundings: CliContext): Command {
  const service = new Command('service').description('running at every start of the machine, by systemd');

  service
    .command('install')
    .description('write a hardened systemd unit that serves with this program; needs root')
    .option('--print', 'show the unit and write nothing')
    .option('--root <folder>', 'where to write it in place of the root, for an image', '/')
    .action(({ print, root, json }: Options) => {
      const file = join(root, UNIT_FILE);
      const unit = unitFor(surroundings.program);
      if (print) {
        if (json) printOne(surroundings, true, { file, unit });
        else surroundings.stdout(unit);
        return;
      }
      write(file, unit);
      if (json) printOne(surroundings, true, { file, next: NEXT });
      else surroundings.stdout(`Wrote ${file}. Now run, as root:\n\n${NEXT.map((line) => `  ${line}\n`).join('')}`);
    });

  return service;
}

function write(file: string, unit: string): void {
  if (!existsSync(dirname(file))) throw new SetupError(`there is no ${dirname(file)}: this machine has no systemd.`);
  try {
    writeFileSync(file, unit);
    // Ours alone by the umask of this program; units are for everyone to read.
    chmodSync(file, 0o644);
  } catch (error) {
    const isDenied = error instanceof Error && 'code' in error && error.code === 'EACCES';
    throw isDenied ? new SetupError(`${file} can be written by root alone; run this with sudo.`) : error;
  }
}

/** A unit that starts these words. Throws `SetupError` where its own protection would keep it from them. */
function unitFor(program: readonly string[]): string {
  const outOfReach = program.find((path) => !/^\/(?!(?:home|root|run|tmp|var\/tmp)\/)[\w@+.,/-]+$/.test(path));
  if (outOfReach) {
    throw new SetupError(
      `a service has no access to ${outOfReach}; move the program to /usr/local/bin/formstead and run this again there.`,
    );
  }
  return `[Unit]
Description=Formstead, a form backend
Wants=network-online.target
After=network-online.target

[Service]
Type=exec
ExecStart=${program.join(' ')} serve
Environment=DATA_DIR=/var/lib/formstead
EnvironmentFile=-/etc/formstead.env
DynamicUser=yes
StateDirectory=formstead
StateDirectoryMode=0700
UMask=0077
Restart=on-failure
RestartSec=2
TimeoutStopSec=30
LimitNOFILE=65536

CapabilityBoundingSet=
DevicePolicy=closed
LockPersonality=yes
PrivateDevices=yes
PrivateUsers=yes
ProtectClock=yes
ProtectControlGroups=yes
ProtectHome=yes
ProtectHostname=yes
ProtectKernelLogs=yes
ProtectKernelModules=yes
ProtectKernelTunables=yes
ProtectProc=invisible
RestrictAddressFamilies=AF_INET AF_INET6 AF_UNIX AF_NETLINK
RestrictNamespaces=yes
RestrictRealtime=yes
SystemCallArchitectures=native
SystemCallErrorNumber=EPERM
SystemCallFilter=@system-service
SystemCallFilter=~@privileged

[Install]
WantedBy=multi-user.target
`;
}
