// A process of its own that restores a backup over an account database, and can be killed.

import { restoreAccounts } from '../../src/accounts/backup.ts'

const [place, backup] = process.argv.slice(2) as [string, string]
process.send?.('begun')
await restoreAccounts({ place, backup, isForced: true })
process.disconnect()
