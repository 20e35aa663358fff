/** Entry point of a command's own process. */

import { runCommand } from '../../pipelines/command/command.ts'
import { perform } from './perform.ts'

if (import.meta.main) {
  runCommand(async () => {
    process.exitCode = await perform(process.argv.slice(2))
  })
}
