// Slurm on this machine alone: its three daemons, in a temporary folder, on free ports of loopback.

import { execFileSync, type SpawnSyncReturns, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { waitUntil } from './processes.ts'

const FOLDERS = ['/usr/sbin', '/usr/bin', '/usr/local/sbin', '/usr/local/bin']
const PROGRAMS = ['munged', 'slurmctld', 'slurmd', 'sbatch', 'scontrol', 'squeue', 'jq'] as const

const findProgram = (name: string): string | undefined =>
  FOLDERS.map(folder => join(folder, name)).find(path => existsSync(path))

/** True where Slurm is installed, and this process may start its daemons. */
export const hasSlurm =
  process.getuid?.() === 0 && PROGRAMS.every(name => findProgram(name) !== undefined)

export type Slurm = {
  /** Environment in which its commands find it. */
  readonly env: Readonly<Record<string, string | undefined>>
  readonly run: (command: string, ...args: string[]) => SpawnSyncReturns<string>
  /** Number of jobs and tasks of arrays that wait or run. */
  readonly countJobs: () => number
  readonly version: string
  readonly stop: () => Promise<void>
}

async function findFreePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  await new Promise(resolve => server.close(resolve))
  return port
}

/** Settings that a cluster has as it is installed, but for control groups, which need systemd. */
function formatSettings(
  folder: string,
  { cores, ports }: { readonly cores: number; readonly ports: readonly number[] },
): string {
  const [name] = hostname().split('.')
  return `ClusterName=test
SlurmctldHost=${name}(127.0.0.1)
SlurmctldPort=${ports[0]}
SlurmdPort=${ports[1]}
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket=${folder}/munge/socket,cred_expire=5
StateSaveLocation=${folder}/state
SlurmdSpoolDir=${folder}/spool
SlurmctldPidFile=${folder}/slurmctld.pid
SlurmdPidFile=${folder}/slurmd.pid
SlurmctldLogFile=${folder}/slurmctld.log
SlurmdLogFile=${folder}/slurmd.log
ProctrackType=proctrack/pgid
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
SchedulerParameters=sched_interval=1,batch_sched_delay=0
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SlurmdParameters=config_overrides
NodeName=${name} NodeAddr=127.0.0.1 CPUs=${cores} RealMemory=1000000 State=UNKNOWN
PartitionName=all Nodes=${name} Default=YES MaxTime=INFINITE State=UP
`
}

/** Starts Slurm with a node of so many cores, whether the machine has them or not. */
export async function startSlurm(cores: number): Promise<Slurm> {
  const folder = mkdtempSync(join(tmpdir(), 'tapefold-slurm-'))
  for (const name of ['munge', 'state', 'spool']) mkdirSync(join(folder, name))
  const settings = join(folder, 'slurm.conf')
  const ports = [await findFreePort(), await findFreePort()]
  writeFileSync(settings, formatSettings(folder, { cores, ports }))
  writeFileSync(join(folder, 'munge/key'), randomBytes(1024), { mode: 0o400 })
  const env = { ...process.env, SLURM_CONF: settings }
  const run = (command: string, ...args: string[]) =>
    spawnSync(findProgram(command) ?? command, args, { env, encoding: 'utf8' })
  const begin = (command: string, ...args: string[]) =>
    execFileSync(findProgram(command)!, args, { env, stdio: 'ignore' })
  const munge = ['socket', 'key', 'pid', 'log', 'seed'].map(name => join(folder, 'munge', name))
  begin(
    'munged',
    '--force',
    ...['socket', 'key-file', 'pid-file', 'log-file', 'seed-file'].map(
      (option, index) => `--${option}=${munge[index]}`,
    ),
  )
  begin('slurmctld')
  begin('slurmd')
  await waitUntil('the node is up', () => run('sinfo', '-h', '-o', '%T').stdout === 'idle\n')
  const pids = ['slurmd.pid', 'slurmctld.pid', 'munge/pid'].map(name => join(folder, name))
  return {
    env,
    run,
    countJobs: () =>
      run('squeue', '-h', '-r', '-o', '%i').stdout.split('\n').filter(Boolean).length,
    version: run('slurmctld', '-V').stdout.trim(),
    stop: async () => {
      run('scancel', '--user=root')
      for (const file of pids) {
        const pid = Number(readFileSync(file, 'utf8'))
        process.kill(pid)
        await waitUntil('a daemon ends', () => !existsSync(`/proc/${pid}`))
      }
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
