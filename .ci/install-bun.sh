#!/bin/sh
# Installs Bun from npm for the steps of a workflow. Refuses an archive with another checksum than the known one, and
# runs no script of the package. After a change of the version, take the new checksums from the output of `npm pack`
# for @oven/bun-linux-x64 and @oven/bun-darwin-aarch64 and shasum.
set -eu

version=1.4.5
case $(uname -sm) in
  'Linux x86_64')
    platform=linux-x64
    expected=0c72edca57b0cbf0a07a242daf0ea8ea96711827f042b80a1c383ce1cc51c771
    ;;
  'Darwin arm64')
    platform=darwin-aarch64
    expected=88c398ee13212e8b189119a2bddc7d240ae4f1252c1d0ae2ac1fd44c921fdcb1
    ;;
  *)
    echo "install-bun.sh: The checksum of Bun for $(uname -sm) is not known. Add it to this script." >&2
    exit 1
    ;;
esac

folder=$RUNNER_TEMP/bun
archive=$folder/oven-bun-$platform-$version.tgz
mkdir -p "$folder"
npm pack --silent --pack-destination "$folder" "@oven/bun-$platform@$version"
echo "$expected  $archive" | shasum -a 256 -c
tar -xzf "$archive" -C "$folder"
ln -sf bun "$folder/package/bin/bunx"
echo "$folder/package/bin" >> "$GITHUB_PATH"
