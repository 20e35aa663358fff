import type { Kysely, Selectable, Transaction } from 'kysely'
import type { LabTables } from './labSchema.ts'
import type { IdeaMessage, IdeaStage, KeptIdea, LabStore } from './labTypes.ts'
import type { AccountTables } from './schema.ts'

export type LabDatabase = {
  readonly db: Kysely<AccountTables>
  /** The same database, over a connection that never waits for who writes. */
  readonly reader: Kysely<AccountTables>
  /** Whether transactions run beside each other. */
  readonly isConcurrent: boolean
}

export type IdeaReader = Kysely<AccountTables> | Transaction<AccountTables>

/** The ideas of accounts, with their versions and messages. */
export function ideaOperations({ reader }: Pick<LabDatabase, 'reader'>) {
  return {
    listIdeas: accountId => readIdeas(reader, accountId),
    findIdea: (accountId, id) => readIdea(reader, accountId, id),
    listMessages: async ideaId => {
      const messages = reader.selectFrom('lab_messages').selectAll().where('idea_id', '=', ideaId)
      return (await messages.orderBy('n').execute()).map(messageOf)
    },
  } satisfies Partial<LabStore>
}

const ideaRows = (db: IdeaReader, accountId: string) =>
  db
    .selectFrom('lab_ideas')
    .leftJoin('lab_versions', join =>
      join
        .onRef('lab_versions.idea_id', '=', 'lab_ideas.id')
        .onRef('lab_versions.version', '=', 'lab_ideas.version'),
    )
    .select(['lab_ideas.id', 'name', 'stage', 'lab_ideas.version', 'draft', 'missing'])
    .select(['parent', 'spec', 'rule_hash', 'say', 'is_on', 'draw', 'alert'])
    .where('account_id', '=', accountId)
    .where('deleted_at', 'is', null)

async function readIdeas(db: IdeaReader, accountId: string): Promise<KeptIdea[]> {
  return (await ideaRows(db, accountId).orderBy('number').execute()).map(ideaOf)
}

/** Who changes ideas or credits of an account next waits here. */
export async function lockAccount(
  trx: Transaction<AccountTables>,
  accountId: string,
): Promise<void> {
  const account = trx.selectFrom('accounts').select('id').where('id', '=', accountId)
  await account.forNoKeyUpdate().execute()
}

/** An idea that is not deleted; null where the account has no such one. */
export async function readIdea(
  db: IdeaReader,
  accountId: string,
  id: string,
): Promise<KeptIdea | null> {
  const row = await ideaRows(db, accountId).where('lab_ideas.id', '=', id).executeTakeFirst()
  return row ? ideaOf(row) : null
}

type IdeaRow = Pick<
  Selectable<LabTables['lab_ideas']>,
  'id' | 'name' | 'stage' | 'version' | 'draft' | 'missing' | 'is_on' | 'draw' | 'alert'
> & {
  readonly [Name in 'parent' | 'spec' | 'rule_hash' | 'say']: LabTables['lab_versions'][Name] | null
}

function ideaOf({ id, name, stage, draft, missing, draw, alert, ...rule }: IdeaRow): KeptIdea {
  const { spec, rule_hash: ruleHash, say } = rule
  const hasRule = spec !== null && ruleHash !== null && say !== null
  const numbers = { version: Number(rule.version), parent: numberOrNull(rule.parent) }
  return {
    ...{ id, name, draft },
    stage: stage as IdeaStage,
    current: hasRule ? { ...numbers, spec, ruleHash, say } : null,
    missing: JSON.parse(missing) as string[],
    isOn: Number(rule.is_on) === 1,
    draw: draw as KeptIdea['draw'],
    alert: alert as KeptIdea['alert'],
  }
}

// PostgreSQL answers its big integers as text
export const numberOrNull = (value: number | null) => (value === null ? null : Number(value))

function messageOf(row: Selectable<LabTables['lab_messages']>): IdeaMessage {
  const { sender, text, kind, rule_hash: ruleHash } = row
  const list = (value: string | null) => (value === null ? null : (JSON.parse(value) as string[]))
  return {
    ...{ n: Number(row.n), atMs: Number(row.at), text, kind, ruleHash },
    sender: sender as IdeaMessage['sender'],
    version: numberOrNull(row.version),
    missing: list(row.missing),
    errors: list(row.errors),
  }
}
