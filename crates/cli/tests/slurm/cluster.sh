#!/bin/sh
# A Slurm cluster of three nodes on this machine's loopback address, for tests. Needs root, and Debian's packages
# slurmctld, slurmd, slurm-client and munge; no systemd, no cgroups.
#
#   cluster.sh start DIR        prints the value for SLURM_CONF when all nodes are idle
#   cluster.sh slurmd DIR n1    starts one node's daemon
#   cluster.sh slurmctld DIR    starts the controller
#   cluster.sh stop DIR
set -eu
what=$1
dir=$2
export SLURM_CONF="$dir/slurm.conf"

start_slurmctld() {
    slurmctld -D >>"$dir/log/slurmctld.out" 2>&1 &
    echo $! >"$dir/slurmctld.started"
}

start_slurmd() {
    slurmd -D -N "$1" >>"$dir/log/$1.out" 2>&1 &
    echo $! >"$dir/$1.started"
}

case $what in
start)
    mkdir -p "$dir/munge" "$dir/state" "$dir/log" "$dir/spool/n1" "$dir/spool/n2" "$dir/spool/n3"
    chmod 755 "$dir"
    chmod 711 "$dir/munge"
    (umask 077 && head -c 1024 /dev/urandom >"$dir/munge/key")
    # Ports of this cluster alone, so that two can run side by side.
    base=$((20000 + $$ % 20000))
    cat >"$SLURM_CONF" <<CONF
ClusterName=craigtest
SlurmctldHost=localhost(127.0.0.1)
SlurmctldPort=$base
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
CredType=cred/munge
# The least that is taken: a requeued job waits for the old credential to end.
AuthInfo=socket=$dir/munge/socket,cred_expire=5
CommunicationParameters=NoCtldInAddrAny,NoInAddrAny
StateSaveLocation=$dir/state
SlurmdSpoolDir=$dir/spool/%n
SlurmctldPidFile=$dir/slurmctld.pid
SlurmdPidFile=$dir/slurmd.%n.pid
SlurmctldLogFile=$dir/log/slurmctld.log
SlurmdLogFile=$dir/log/slurmd.%n.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
SchedulerType=sched/builtin
SchedulerParameters=sched_interval=1,batch_sched_delay=0,sched_min_interval=100000
MpiDefault=none
ReturnToService=2
SlurmdTimeout=5
SlurmctldTimeout=5
MessageTimeout=2
TCPTimeout=1
KillWait=2
JobRequeue=1
SlurmdParameters=config_overrides
PropagateResourceLimits=NONE
NodeName=n[1-3] NodeHostname=localhost NodeAddr=127.0.0.1 Port=[$((base + 1))-$((base + 3))] CPUs=2 RealMemory=4000
PartitionName=test Nodes=n[1-3] Default=YES MaxTime=60 State=UP
CONF
    munged --force --key-file="$dir/munge/key" --socket="$dir/munge/socket" --pid-file="$dir/munge/pid" \
        --log-file="$dir/munge/log" --seed-file="$dir/munge/seed" --num-threads=2
    start_slurmctld
    for node in n1 n2 n3; do start_slurmd $node; done
    for _ in $(seq 300); do
        if [ "$(sinfo -h -o '%T %D' 2>/dev/null)" = "idle 3" ]; then
            echo "$SLURM_CONF"
            exit 0
        fi
        sleep 0.1
    done
    echo "the cluster does not start; see $dir/log" >&2
    exit 1
    ;;
slurmctld) start_slurmctld ;;
slurmd) start_slurmd "$3" ;;
stop)
    scancel -u root 2>/dev/null || true
    for file in "$dir"/*.started "$dir/munge/pid"; do
        kill "$(cat "$file")" 2>/dev/null || true
    done
    for _ in $(seq 50); do
        alive=no
        for file in "$dir"/*.started; do
            if kill -0 "$(cat "$file")" 2>/dev/null; then alive=yes; fi
        done
        [ $alive = no ] && exit 0
        sleep 0.1
    done
    for file in "$dir"/*.started; do
        kill -9 "$(cat "$file")" 2>/dev/null || true
    done
    ;;
esac
