#!/bin/sh
# bubblewrap isolates the code that models write; apigap refuses to run such code without it.
command -v bwrap >/dev/null 2>&1 && exit 0
if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then
    echo "Installing bubblewrap with apt-get ..."
    apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq bubblewrap >/dev/null && exit 0
fi
echo "apigap needs bubblewrap to isolate generated code. Install it with:" >&2
echo "    sudo apt-get install bubblewrap        (Debian, Ubuntu)" >&2
echo "    sudo dnf install bubblewrap            (Fedora)" >&2
exit 3
