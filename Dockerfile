# Deputy in a container. docker/run.sh builds and starts it; docs/install.md says how.

# The package is made where its tools are, and only its tarball is taken along.
FROM node:24-bookworm-slim AS build
WORKDIR /src
COPY . .
RUN npm ci --no-audit --no-fund && npm run pack && mv dist/deputy-deputy-*.tgz /deputy.tgz

FROM node:24-bookworm-slim
# bubblewrap contains commands, where the engine lets it; git is for commands about repositories.
RUN apt-get update \
  && apt-get install -y --no-install-recommends bubblewrap ca-certificates git \
  && rm -rf /var/lib/apt/lists/*
COPY --from=build /deputy.tgz /tmp/deputy.tgz
RUN npm install --global --no-audit --no-fund /tmp/deputy.tgz && rm -rf /tmp/deputy.tgz /root/.npm
# Only its user may read the home; a new volume takes over the owner and the mode.
RUN install -d -o node -g node -m 0700 /data
# Who reaches the container is up to its engine; docker/run.sh publishes the port on 127.0.0.1 alone.
ENV DEPUTY_HOME=/data DEPUTY_HOST=0.0.0.0 DEPUTY_ALLOW_REMOTE=true DEPUTY_PORT=18789 NODE_ENV=production
VOLUME ["/data"]
USER node
WORKDIR /data
EXPOSE 18789
HEALTHCHECK --interval=30s --timeout=5s --start-period=20s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.DEPUTY_PORT}/health`).then((r) => r.json()).then((h) => process.exit(h.status === 'ok' ? 0 : 1), () => process.exit(1))"]
STOPSIGNAL SIGTERM
CMD ["deputy", "serve"]
