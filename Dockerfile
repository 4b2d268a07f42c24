FROM oven/bun:1.4.5 AS build
WORKDIR /build
COPY package.json bun.lock bunfig.toml ./
RUN bun install --production --omit=peer --frozen-lockfile
COPY tsconfig.json ./
COPY .ci .ci
COPY drizzle drizzle
COPY src src
# The commit that `formstead --version` prints, as in: docker build --build-arg FORMSTEAD_COMMIT=$(git rev-parse HEAD) .
ARG FORMSTEAD_COMMIT=""
# The folder is copied so that new volumes belong to the user below.
RUN bun run build && mkdir data

FROM gcr.io/distroless/base-nossl-debian13:nonroot
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
