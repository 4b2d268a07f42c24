# Runs on the machine that builds, and cross-compiles for the platform of the image.
FROM --platform=$BUILDPLATFORM oven/bun:1.4.5 AS build
WORKDIR /build
COPY package.json bun.lock bunfig.toml ./
RUN bun install --production --omit=peer --frozen-lockfile
COPY tsconfig.json ./
COPY .ci .ci
COPY drizzle drizzle
COPY src src
# The commit that `formstead --version` prints, as in: docker build --build-arg FORMSTEAD_COMMIT=$(git rev-parse HEAD) .
ARG FORMSTEAD_COMMIT=""
ARG BUILDARCH TARGETARCH
RUN case "$TARGETARCH" in \
      "$BUILDARCH") bun run build ;; \
      amd64) bun run build --target=bun-linux-x64-baseline ;; \
      *) bun run build --target=bun-linux-$TARGETARCH ;; \
    esac
# This folder is copied so that new volumes belong to the user below.
RUN mkdir data

FROM gcr.io/distroless/base-nossl-debian13:nonroot@sha256:8c563c1fb5e120606f0d85733049775faed6192e2bd2223ef283a5393eec22b9
ARG FORMSTEAD_COMMIT=""
LABEL org.opencontainers.image.title="Formstead" \
      org.opencontainers.image.description="Self-hosted form backend" \
      org.opencontainers.image.revision="$FORMSTEAD_COMMIT" \
      org.opencontainers.image.licenses="MIT"
COPY --from=build /build/dist/formstead /usr/local/bin/formstead
COPY --from=build --chown=65532:65532 /build/data /data
COPY --from=build --chown=65532:65532 /build/data /backups
ENV HOST=0.0.0.0 DATA_DIR=/data
USER 65532:65532
WORKDIR /data
VOLUME /data
EXPOSE 3000
HEALTHCHECK --interval=30s --timeout=10s --start-period=10s CMD ["/usr/local/bin/formstead", "health"]
ENTRYPOINT ["/usr/local/bin/formstead"]
CMD ["serve"]
