# Tapefold in a container: every command, by default the API with its watcher.
# docs/operations.md says how to run and stop it.

FROM node:24.21.0-bookworm-slim AS packages
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci --omit=dev --no-audit --no-fund

FROM node:24.21.0-bookworm-slim
WORKDIR /app
COPY --from=packages /app/node_modules node_modules
COPY package.json package.json
COPY bin bin
COPY data/reference data/reference
COPY docs docs
COPY pipelines pipelines
COPY sql sql
COPY src src
RUN install -d -o 1000 -g 1000 /data
ENV TAPEFOLD_DATA=/data TAPEFOLD_HOST=0.0.0.0 TAPEFOLD_PORT=8080
USER 1000:1000
VOLUME /data
EXPOSE 8080
STOPSIGNAL SIGTERM
# by the Node of the image, which every processor has
HEALTHCHECK --interval=30s --timeout=5s --start-period=60s CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.TAPEFOLD_PORT}/health/ready`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
# replaces itself with Node, which is process 1 then: no shell and no npm is in between
ENTRYPOINT ["/app/bin/tapefold"]
CMD ["serve"]
