#!/bin/sh
# The capture hook without a start of Node: posts what it reads from stdin to the daemon, by curl and the daemon's Unix socket. The same
# promises as capture-observation.mjs: exit 0 within the budget, stdout empty or {"ok":true}, the reason for anything else on stderr.
#   capture-observation.sh NODE [--client NAME]
# It only guesses the daemon; the daemon checks that the folder is its own. What the daemon does not take in time goes to
# spool-observation.cjs in a session of its own: whole, and also when the client ends or kills this group.

# Whatever the shell cannot do (no stdin, no more processes), the client goes on.
trap 'exit 0' EXIT
PATH=${PATH:+$PATH:}/usr/bin:/bin
CDPATH=
node=${1:-node}
[ $# -eq 0 ] || shift
[ -x "$node" ] || node=node
client=
[ "$1" = --client ] && client=$2
place=${CLAUDE_PROJECT_DIR:-$PWD}
from=$PWD
here=.
case $0 in */*) here=${0%/*} ;; esac
[ -f "$here/spool-observation.cjs" ] || here=$(dirname "$(readlink -f "$0")")
# Names this run. A process id alone comes again, in a container at each call.
{ read -r up _ </proc/uptime; } 2>/dev/null
attempt=$$.$PPID.$up.$RANDOM
wait=0.125 budget=0.23

# Enters the folder of the socket. A file in the tree ~/.memd/NAMESPACE/places, which mirrors the paths of projects, names the workspace. The
# folder must be this user's and sticky: nobody else can replace a socket of this user in it.
enter() {
  case ${MEMD_NS:=default} in *[!A-Za-z0-9._-]* | [!A-Za-z0-9]*) return 1 ;; esac
  case $HOME in /*) ;; *) return 1 ;; esac
  space=$HOME/.memd/$MEMD_NS
  at=$place
  cd -P -- "$place" 2>/dev/null && at=$PWD
  case $at in /*) ;; *) return 1 ;; esac
  until [ -f "$space/places$at/@memd" ]; do
    [ -n "$at" ] || return 1
    at=${at%/*}
  done
  read -r key <"$space/places$at/@memd"
  case $key in *[!a-z0-9-]*) return 1 ;; esac
  cd -P -- "$space/workspaces/$key/front" && [ -O . ] && [ -k . ] && [ -S s ] && [ -O s ] && ! [ -h s ] || return 1
  read -r wait budget <wait
}

curl=/usr/bin/curl
[ -x $curl ] || curl=$(command -v curl)
if enter >/dev/null 2>&1 && [ -n "$curl" ]; then found=1; else found=; fi

# Reads all of stdin and gives it to the daemon, or else to the process that spools it. Status: 0 for a call that is stored, 10 for what needs
# no word, 20 for what the other process has.
deliver() {
  p=$(cat)
  kill -0 $$ && kill "$timer"
  tried=
  if [ -n "$found" ]; then
    # Its answer to a call is short; a longer one (63) says that a hook of a message prints nothing.
    printf '%s\0%s\0%s\0%s\0%s' "$client" "$attempt" "$from" "$place" "$p" |
      "$curl" -q -s -f --noproxy '*' -m "$wait" --max-filesize 16 -H Expect: --data-binary @- --unix-socket ./s http://memd/capture
    case $? in
      0) exit 0 ;;
      63) exit 10 ;;
      22) ;;
      *) tried=--tried ;;
    esac
  fi
  cd -- "$from"
  printf %s "$p" | detached "$node" "$here/spool-observation.cjs" "$@" --attempt "$attempt" --cwd "$from" $tried
  exit 20
}

# Returns when a shell in a session of its own holds all of stdin, and runs a command with it.
detached() {
  hold='p=$(cat); (printf %s "$p" | "$@") </dev/null &'
  if command -v setsid; then
    setsid /bin/sh -c "$hold" sh "$@"
  elif command -v perl; then
    perl -MPOSIX -e 'setsid; exec @ARGV' /bin/sh -c "$hold" sh "$@"
  else
    /bin/sh -c "$hold" sh "$@"
  fi
}

exec 3<&0
sleep "$budget" 3<&- >/dev/null 2>&1 &
timer=$!
# A client that ends before a busy machine has handed all over signals its group.
trap '' HUP TERM
# `exec` in it, since the shell would keep its own copies of what it redirects: the client waits until nobody holds its stdout.
{
  trap - EXIT
  exec <&3 3<&- >/dev/null 2>&1
  deliver "$@"
} &
delivery=$!
trap - HUP TERM
exec 3<&-
if wait "$timer" 2>/dev/null; then
  # The client is not ready with its input. One that keeps stdin open has said all after some seconds.
  (sleep 3 && pkill -KILL -P "$delivery" -x cat) </dev/null >/dev/null 2>&1 &
  status=20
else
  wait "$delivery"
  status=$?
fi
# A client that has closed its end.
trap '' PIPE
case $status in
  0) echo '{"ok":true}' ;;
  10) ;;
  *) echo 'memd: the daemon did not take this in time; a background process goes on with it (memd logs).' >&2 ;;
esac
exit 0
