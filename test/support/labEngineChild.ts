// A process that computes runs as that of the product does, on a small market made here. A rule
// of certain numbers of contracts does what `BEHAVIOURS` defines instead of a response. A file
// of the data folder records that it runs, and whose it is.

import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { serveTasks } from '../../src/lab/runs/serveTasks.ts'
import { computeRun, variantRows } from '../../src/lab/verdict/computeRun.ts'
import { RunRefused } from '../../src/lab/verdict/request.ts'
import { BEHAVIOURS, ENGINES_FOLDER, GO_FILE } from './labBehaviours.ts'
import { smallMarket } from './labMarket.ts'

const dataFolder = process.argv[2]!
const engines = join(dataFolder, ENGINES_FOLDER)
mkdirSync(engines, { recursive: true })
writeFileSync(join(engines, `${process.ppid}-${process.pid}`), '')
const market = smallMarket()

function behave(qty: number): void {
  if (qty === BEHAVIOURS.fails) throw new Error('a secret of the engine')
  if (qty === BEHAVIOURS.refuses) throw new RunRefused('No session is published to test on.')
  if (qty === BEHAVIOURS.dies) process.kill(process.pid, 'SIGKILL')
  while (qty === BEHAVIOURS.waits && !existsSync(join(dataFolder, GO_FILE))) {
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5)
  }
}

serveTasks(
  {
    readMarket: async () => market,
    variantRows: (own, request, share, onProgress) => {
      behave(request.spec.core.qty)
      return variantRows(own, request, share, onProgress)
    },
    computeRun: (own, request, rows, onProgress) => {
      behave(request.spec.core.qty)
      return computeRun(own, request, onProgress, rows ?? undefined)
    },
  },
  dataFolder,
)
