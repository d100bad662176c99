# CSeq with CBMC, on Debian 13:
#
#     docker build -t cseq .
#     docker run --rm -v "$PWD:/src" cseq --race queue.c queue_test.c

FROM debian:13-slim

RUN apt-get update \
 && apt-get install -y --no-install-recommends cbmc g++ gcc libc6-dev python3 python3-venv \
 && rm -rf /var/lib/apt/lists/*

COPY . /usr/local/src/cseq
RUN python3 -m venv /opt/cseq \
 && /opt/cseq/bin/python -m pip install --no-cache-dir \
      --constraint /usr/local/src/cseq/setup/constraints.txt /usr/local/src/cseq \
 && rm -rf /usr/local/src/cseq \
 && ln -s /opt/cseq/bin/cseq /usr/local/bin/cseq

WORKDIR /src
ENTRYPOINT ["cseq"]
