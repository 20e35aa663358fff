// A process of its own that restores a backup over an account database on a message, and can be
// killed.

import { restoreAccounts } from '../../src/server/backup/commands.ts'

const [location, backup] = process.argv.slice(2) as [string, string]
const reported = new Promise(go => process.once('message', go))
process.send?.('ready')
await reported
await restoreAccounts({ location, backup, isForced: true })
process.disconnect()
