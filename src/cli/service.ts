import { chmodSync, existsSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Command } from 'commander';
import { SetupError } from '../domain/errors.ts';
import { UNIT_FILE } from '../domain/instance/service-unit.ts';
import { CliCommand, type CliContext, printOne } from './command.ts';

/** Commands that the operator runs after the unit is installed. */
const NEXT_STEPS = [
  'install -m 600 /dev/null /etc/formstead.env   # then add settings, one NAME=value per line',
  'systemctl daemon-reload',
  'systemctl enable --now formstead',
  'journalctl -u formstead -o cat                # shows the link to create your account',
];

export function serviceCommand(cli: CliContext): Command {
  const service = new CliCommand(cli, 'service').description('start Formstead at boot with systemd');

  service
    .command('install')
    .description('write a hardened systemd unit for this program; requires root')
    .option('--print', 'print the unit and write nothing')
    .option('--root <folder>', 'write into this root directory, to build an image', '/')
    .action(({ print, root }: Readonly<{ print?: boolean; root: string }>) => {
      const file = join(root, UNIT_FILE);
      const unit = unitFor(cli.program);
      if (print) {
        if (cli.asJson) printOne(cli, { file, unit });
        else cli.stdout(unit);
        return;
      }
      writeUnit(file, unit);
      if (cli.asJson) printOne(cli, { file, next: NEXT_STEPS });
      else cli.stdout(`Wrote ${file}. Now run, as root:\n\n${NEXT_STEPS.map((line) => `  ${line}\n`).join('')}`);
    });

  return service;
}

function writeUnit(file: string, unit: string): void {
  if (!existsSync(dirname(file))) throw new SetupError(`there is no ${dirname(file)}: this machine has no systemd.`);
  try {
    writeFileSync(file, unit);
    // The umask makes files private, but units must be readable by everyone.
    chmodSync(file, 0o644);
  } catch (error) {
    const isDenied = error instanceof Error && 'code' in error && error.code === 'EACCES';
    throw isDenied ? new SetupError(`only root can write ${file}. Run this command with sudo.`) : error;
  }
}

/** Returns a unit that runs `program`. Throws `SetupError` if the unit's sandbox hides one of its paths. */
function unitFor(program: readonly string[]): string {
  const hiddenPath = program.find((path) => !/^\/(?!(?:home|root|run|tmp|var\/tmp)\/)[\w@+.,/-]+$/.test(path));
  if (hiddenPath) {
    throw new SetupError(
      `a systemd service cannot access ${hiddenPath}. Move the program to /usr/local/bin/formstead and run this command again.`,
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
StateDirectory=formstead formstead-backups
StateDirectoryMode=0700
UMask=0077
Restart=on-failure
RestartSec=2
# Bad settings.
RestartPreventExitStatus=78
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
