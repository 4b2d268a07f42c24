#!/bin/sh
# Installs or upgrades the formstead binary: downloads it from a release, verifies its checksum and puts it in place.
#
#   install.sh [--version 0.2.0] [--dir /usr/local/bin]
#
# Without --version it installs the newest release. Without --dir it installs to $PREFIX/bin if PREFIX is set, to
# /usr/local/bin for root, and to ~/.local/bin otherwise. It never calls sudo.
set -eu

# The release workflow fills in the address of the releases, such as https://github.com/OWNER/REPOSITORY/releases.
RELEASES='@RELEASES@'

fail() {
  printf 'install.sh: %s\n' "$*" >&2
  exit 1
}

# Reads the arguments into `version` and `dir`.
read_arguments() {
  version=''
  dir=''
  while [ $# -gt 0 ]; do
    case $1 in
      --version | --dir) [ -n "${2:-}" ] || fail "$1 needs a value, as in: install.sh --version 0.2.0 --dir ~/bin" ;;
      *) fail "$1 is not an option. Use --version or --dir." ;;
    esac
    if [ "$1" = --version ]; then version=v${2#v}; else dir=$2; fi
    shift 2
  done
  if [ -n "$dir" ]; then return; fi
  if [ -n "${PREFIX:-}" ]; then
    dir=$PREFIX/bin
  elif [ "$(id -u)" -eq 0 ]; then
    dir=/usr/local/bin
  else
    dir=$HOME/.local/bin
  fi
}

# Prints the name of the build for this machine, such as linux-x64-musl.
platform() {
  case $(uname -s) in
    Linux) os=linux ;;
    Darwin) os=darwin ;;
    *) fail "$(uname -s) is not supported by this script. Downloads for Windows are at $RELEASES." ;;
  esac
  case $(uname -m) in
    x86_64 | amd64) arch=x64 ;;
    aarch64 | arm64) arch=arm64 ;;
    *) fail "No binary exists for $(uname -m), only for x86_64 and arm64. Build it from source with Bun." ;;
  esac
  # A shell under Rosetta reports the emulated processor.
  if [ $os = darwin ] && [ "$(sysctl -n sysctl.proc_translated 2>/dev/null)" = 1 ]; then arch=arm64; fi
  libc=''
  if [ $os = linux ] && uses_musl; then libc=-musl; fi
  echo "$os-$arch$libc"
}

uses_musl() {
  case $(ldd --version 2>&1) in
    *musl*) return 0 ;;
    *GLIBC* | *"GNU libc"*) return 1 ;;
  esac
  ls /lib/ld-musl-* >/dev/null 2>&1
}

# Downloads $1 to the file $2.
download() {
  if command -v curl >/dev/null; then
    # No redirect may leave HTTPS.
    case $1 in
      https:*) curl -fsSL --proto '=https' --tlsv1.2 --retry 3 -o "$2" "$1" ;;
      *) curl -fsSL --retry 3 -o "$2" "$1" ;;
    esac
  elif command -v wget >/dev/null; then
    # wget has no option against redirects that leave HTTPS: look for one in the headers.
    headers=$(wget -S -O "$2" "$1" 2>&1) && case $1 in
      https:*)
        if printf '%s\n' "$headers" | grep -qi '^ *location: *http:'; then
          fail "$1 redirects to an address without HTTPS. Nothing was installed. Try again from another network."
        fi
        ;;
    esac
  else
    fail "Downloads need curl or wget, and neither is installed. Install one of them."
  fi || fail "Could not download $1. Check the connection, and that $RELEASES has this version."
}

# Prints the SHA-256 checksum of a file, and its name.
checksum() {
  if command -v sha256sum >/dev/null; then
    sha256sum "$1"
  elif command -v shasum >/dev/null; then
    shasum -a 256 "$1"
  elif command -v openssl >/dev/null; then
    openssl dgst -sha256 -r "$1"
  else
    fail "The download cannot be verified without sha256sum, shasum or openssl. Install one of them."
  fi
}

# Verifies by the GitHub CLI, if that is signed in, that the release workflow of the repository built the file $1.
verify_origin() {
  case $RELEASES in
    https://github.com/*) ;;
    *) return 0 ;;
  esac
  if ! { gh attestation --help && gh auth status; } >/dev/null 2>&1; then return 0; fi
  repository=${RELEASES#https://github.com/}
  gh attestation verify "$1" --repo "${repository%/releases}" >/dev/null ||
    fail "gh could not verify that ${repository%/releases} built $archive. Nothing was installed."
  echo "Verified with gh that ${repository%/releases} built $archive"
}

main() {
  case $RELEASES in
    @*) fail "This copy of install.sh has no download address. Use the install.sh of a release." ;;
  esac
  read_arguments "$@"
  archive=formstead-$(platform).tar.gz
  from=$RELEASES/latest/download
  if [ -n "$version" ]; then from=$RELEASES/download/$version; fi

  # In the same folder as the target, so that the last step is an atomic rename.
  if ! { mkdir -p "$dir" && tmp=$(mktemp -d "$dir/.formstead-install.XXXXXX"); } 2>/dev/null; then
    fail "$dir is not writable. Name another folder with --dir, or run this script as root."
  fi
  trap 'rm -rf "$tmp"' EXIT
  trap 'exit 129' HUP
  trap 'exit 130' INT
  trap 'exit 143' TERM

  echo "Downloading $archive from $from"
  download "$from/SHA256SUMS" "$tmp/SHA256SUMS"
  download "$from/$archive" "$tmp/$archive"
  expected=$(sed -n "s/^\([0-9a-f]\{64\}\)  $archive\$/\1/p" "$tmp/SHA256SUMS")
  [ -n "$expected" ] || fail "SHA256SUMS has no checksum of $archive. This version has no binary for this machine."
  actual=$(checksum "$tmp/$archive")
  [ "${actual%% *}" = "$expected" ] ||
    fail "$archive has the wrong checksum: the download is damaged or was changed. Nothing was installed. Try again."

  verify_origin "$tmp/$archive"

  gzip -dc "$tmp/$archive" | tar -xf - -C "$tmp" || fail "Could not unpack $archive. Check the free space in $dir."
  chmod 755 "$tmp/formstead"
  installed=$("$tmp/formstead" --version) ||
    fail "The binary does not run on this machine. On Alpine, install libstdc++ first. Nothing was installed."
  [ ! -d "$dir/formstead" ] || fail "$dir/formstead is a folder. Name another folder with --dir."
  existed=$([ -e "$dir/formstead" ] && echo yes || echo no)
  mv -f "$tmp/formstead" "$dir/formstead"
  echo "Installed $installed as $dir/formstead"
  next_step
}

next_step() {
  if [ "$existed" = yes ]; then
    echo "A running server is still the earlier version: restart it, as with: systemctl restart formstead"
    return
  fi
  case :$PATH: in
    *:"$dir":*) echo "Start it with: formstead" ;;
    *) echo "Start it with: $dir/formstead (or add $dir to your PATH)" ;;
  esac
}

# The call is the last line, so that a script cut off in transit does nothing.
main "$@"
