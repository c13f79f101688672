FROM debian:trixie-slim AS build
RUN apt-get update \
 && apt-get install -y --no-install-recommends \
      cmake ninja-build gcc libc6-dev pkg-config \
      libnats-dev libcjson-dev libpcre2-dev libuv1-dev libssl-dev
WORKDIR /source
COPY . .
RUN cmake --preset release -DCMAKE_INSTALL_PREFIX=/usr -DERRATA_TESTS=OFF \
 && cmake --build --preset release \
 && DESTDIR=/installed cmake --install build/release --strip

FROM debian:trixie-slim
# apt's own cache and logs are most of what an installation leaves behind.
RUN apt-get update \
 && apt-get install -y --no-install-recommends \
      ca-certificates libnats3.10 libcjson1 libpcre2-8-0 libuv1t64 libssl3t64 \
 && apt-get clean \
 && rm -rf /var/lib/apt/lists/* /var/cache/apt/*.bin /var/cache/debconf/*-old \
      /var/lib/dpkg/*-old /var/log/apt /var/log/dpkg.log /usr/share/doc/*
COPY --from=build /installed/ /
# A number, so that an orchestrator can see without a look into the image that it is not root.
USER 65532:65532
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=5s --start-period=10s --start-interval=1s --retries=3 \
  CMD ["/usr/bin/errata", "get", "--remote", "--timeout", "2s", "10059"]
ENTRYPOINT ["/usr/bin/errata"]
CMD ["serve"]
