#!/bin/sh
# Builds Deputy's image and starts it: sh docker/run.sh [build|start|stop|logs|token]; without a word, build and start.
#
# It uses docker, or podman where that is what there is; DEPUTY_ENGINE names another. The home is the volume
# deputy-home, so a new image goes on where the old one stopped. Only this machine can reach it, at DEPUTY_PORT
# (18789).
set -eu

engine=${DEPUTY_ENGINE:-}
if [ -z "$engine" ]; then
  for name in docker podman; do
    if command -v "$name" >/dev/null 2>&1; then engine=$name && break; fi
  done
fi
[ -n "$engine" ] || {
  printf 'docker/run.sh: neither docker nor podman is installed\n' >&2
  exit 1
}
root=$(cd "$(dirname "$0")/.." && pwd)
port=${DEPUTY_PORT:-18789}

build() {
  "$engine" build --tag deputy "$root"
}

start() {
  # Keys of models come from this shell, if it has them; their values are on no command line.
  "$engine" run --detach --name deputy --restart unless-stopped \
    --publish "127.0.0.1:$port:$port" --volume deputy-home:/data \
    --read-only --tmpfs /tmp --cap-drop ALL --security-opt no-new-privileges \
    --env "DEPUTY_PORT=$port" --env ANTHROPIC_API_KEY --env OPENAI_API_KEY --env DEPUTY_TOKEN deputy
  printf 'Deputy runs at http://127.0.0.1:%s. Its token: sh docker/run.sh token\n' "$port"
}

case ${1:-} in
  '') build && start ;;
  build) build ;;
  start) start ;;
  stop) "$engine" rm --force deputy ;;
  logs) "$engine" logs --follow deputy ;;
  token) "$engine" exec deputy deputy token ;;
  *)
    printf 'docker/run.sh: “%s” is not known: build, start, stop, logs, token\n' "$1" >&2
    exit 2
    ;;
esac
