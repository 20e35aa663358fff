import { paceCalls } from '../fair/pace.ts'
import type { Area, AreaDeps, OpenArea } from '../http/area.ts'
import { reply } from './language/dialog.ts'
import { EXAMPLES } from './language/examples.ts'
import { labPaths } from './openapi.ts'
import { CHAT_METHODS, labRouter } from './routes.ts'

/** Ideas in plain words: compiled to rules, kept with everything that was said. */
export const LAB_AREA: Area<unknown> = {
  name: 'lab',
  product: 'lab',
  tag: { name: 'LAB', description: 'Trading ideas in plain words, as exact rules.' },
  paths: labPaths,
  methods: { '/api/lab/chat': CHAT_METHODS },
  tables: [
    ...(['lab_ideas', 'lab_versions', 'lab_messages', 'lab_credit_lines'] as const),
    ...(['lab_conveyor', 'lab_runs', 'lab_results'] as const),
  ],
  commands: [
    {
      name: 'lab',
      usage: 'lab chat|read|state|thread ...',
      does: 'turn an idea in plain words into an exact rule',
      file: 'command/lab.ts',
    },
  ],
  open: openLab,
}

function openLab({ accounts, elapsedMs }: AreaDeps<unknown>): OpenArea {
  // plans and months of credits are of real time, also in a replay
  const deps = { accounts, nowMs: elapsedMs, rewriter: null }
  return {
    routes: { '/api/lab': [paceCalls(elapsedMs), labRouter(deps)] },
    // the patterns of the phrases are compiled when they are first tried
    warm: async () => {
      for (const sentence of EXAMPLES) reply(sentence, null)
    },
  }
}
