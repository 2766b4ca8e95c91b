#!/bin/sh
# Installs Deputy from its tarball for this user: sh install.sh [TARBALL]
#
# It needs Node 24 or newer with npm, and no other rights than yours. DEPUTY_PREFIX names where it goes, by default
# ~/.local: the command is then PREFIX/bin/deputy. Running it again updates what is there; the home is not touched.
set -eu

fail() {
  printf 'install.sh: %s\n' "$1" >&2
  exit 1
}

here=$(cd "$(dirname "$0")" && pwd)
tarball=${1:-}
if [ -z "$tarball" ]; then
  # The newest beside this file, or where `npm run pack` puts it.
  tarball=$(ls -t "$here"/deputy-deputy-*.tgz "$here"/dist/deputy-deputy-*.tgz 2>/dev/null | head -n 1) || true
  [ -n "$tarball" ] || fail "there is no tarball here; name one: sh install.sh PATH/deputy-deputy-VERSION.tgz"
fi
[ -f "$tarball" ] || fail "there is no file $tarball"
case $tarball in
  /*) ;;
  *) tarball=$PWD/$tarball ;;
esac

command -v node >/dev/null 2>&1 || fail "Node is missing; install Node 24 or newer from https://nodejs.org"
command -v npm >/dev/null 2>&1 || fail "npm is missing; it comes with Node"
major=$(node -p 'process.versions.node.split(".")[0]')
[ "$major" -ge 24 ] || fail "Node $(node -v) is too old; Deputy needs 24 or newer (https://nodejs.org)"

prefix=${DEPUTY_PREFIX:-${HOME:?}/.local}
mkdir -p "$prefix" 2>/dev/null || fail "$prefix cannot be written; name another folder with DEPUTY_PREFIX"
[ -w "$prefix" ] || fail "$prefix cannot be written; name another folder with DEPUTY_PREFIX"

npm install --global --prefix "$prefix" --no-audit --no-fund --loglevel error "$tarball" >/dev/null ||
  fail "npm could not install $tarball"
version=$("$prefix/bin/deputy" --version) || fail "it was installed, and does not start"
printf 'Deputy %s is installed: %s\n' "$version" "$prefix/bin/deputy"
case ":$PATH:" in
  *":$prefix/bin:"*) printf 'Begin with: deputy\n' ;;
  *) printf 'Add it to your PATH: export PATH="%s/bin:$PATH"\n' "$prefix" ;;
esac
