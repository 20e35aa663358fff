import type { Kysely, Selectable, Transaction } from 'kysely'
import { randomBase62 } from './apiKey.ts'
import type { LabTables } from './labSchema.ts'
import {
  IDEA_MESSAGES_MAX,
  IDEAS_MAX,
  type IdeaChange,
  type IdeaChat,
  type IdeaMessage,
  type IdeaStage,
  type IdeaVersion,
  type KeptIdea,
  type LabStore,
} from './labTypes.ts'
import { findAnswer, keepAnswer } from './repeats.ts'
import type { AccountTables } from './schema.ts'

export type LabDatabase = {
  readonly db: Kysely<AccountTables>
  /** The same database, over a connection that never waits for who writes. */
  readonly reader: Kysely<AccountTables>
  /** Whether transactions run beside each other. */
  readonly isConcurrent: boolean
}

type Reading = Kysely<AccountTables> | Transaction<AccountTables>

/** An account has as many ideas, or an idea as many messages, as there may be. */
export class LabFull extends Error {}

/** The ideas of accounts, with their versions and messages. */
export function ideaOperations({ db, reader, isConcurrent }: LabDatabase) {
  return {
    listIdeas: accountId => readIdeas(reader, accountId),
    findIdea: (accountId, id) => readIdea(reader, accountId, id),
    listMessages: async ideaId => {
      const messages = reader.selectFrom('lab_messages').selectAll().where('idea_id', '=', ideaId)
      return (await messages.orderBy('n').execute()).map(messageOf)
    },
    chat: chat =>
      db.transaction().execute(async trx => {
        if (isConcurrent) await lockAccount(trx, chat.accountId)
        return await takeMessage(trx, chat)
      }),
    chatOnce: ({ repeat, answerOf, ...chat }) =>
      db.transaction().execute(async trx => {
        if (isConcurrent) await lockAccount(trx, chat.accountId)
        const request = { ...chat, repeat }
        const answered = await findAnswer(trx, request)
        if (answered && answered.request_hash === repeat.requestHash) {
          return { answer: answered.answer, isReplay: true }
        }
        if (answered) return 'reused'
        const taken = await takeMessage(trx, chat)
        if (!taken) return null
        const answer = answerOf(taken.told, taken.idea)
        await keepAnswer(trx, request, answer)
        return { answer, isReplay: false }
      }),
  } satisfies Partial<LabStore>
}

/** Who changes ideas or credits of an account next waits here. */
export async function lockAccount(
  trx: Transaction<AccountTables>,
  accountId: string,
): Promise<void> {
  const account = trx.selectFrom('accounts').select('id').where('id', '=', accountId)
  await account.forNoKeyUpdate().execute()
}

async function takeMessage<Told extends IdeaChange>(
  trx: Transaction<AccountTables>,
  { accountId, ideaId, atMs, decide }: IdeaChat<Told>,
) {
  const found = ideaId === null ? null : await readIdea(trx, accountId, ideaId)
  if (ideaId !== null && found === null) return null
  const before = found ? await versionBefore(trx, found) : null
  const told = decide(found, before)
  const id = found?.id ?? (told.idea ? await beginIdea(trx, accountId, told.idea.name, atMs) : null)
  if (id === null) return { told, idea: null }
  if (told.idea) await applyChange(trx, id, told.idea, { found, before, atMs })
  // whatever was said, the idea has to be tested again
  await trx
    .updateTable('lab_ideas')
    .set({ stage: 'rule', is_on: 0, updated_at: atMs })
    .where('id', '=', id)
    .execute()
  const idea = (await readIdea(trx, accountId, id))!
  await keepMessages(trx, idea, told.messages, atMs)
  return { told, idea }
}

async function beginIdea(
  trx: Transaction<AccountTables>,
  accountId: string,
  name: string,
  atMs: number,
): Promise<string> {
  const own = trx.selectFrom('lab_ideas').where('account_id', '=', accountId)
  const { last } = await own
    .select(({ fn }) => fn.max<number | null>('number').as('last'))
    .executeTakeFirstOrThrow()
  const kept = await own.select('id').where('deleted_at', 'is', null).execute()
  if (kept.length >= IDEAS_MAX) {
    throw new LabFull(`the account keeps ${IDEAS_MAX} ideas, which is the limit; delete one first.`)
  }
  const id = `i_${randomBase62(12)}`
  await trx
    .insertInto('lab_ideas')
    .values({
      ...{ id, account_id: accountId, number: Number(last ?? 0) + 1, name, stage: 'rule' },
      ...{ version: 0, draft: null, missing: '[]', created_at: atMs, updated_at: atMs },
      ...{ deleted_at: null, is_on: 0, on_at: null, draw: 'off', alert: 'off' },
      ...{ holdout_from: null, first_tested_to: null, sealed_kind: null },
    })
    .execute()
  return id
}

type Found = {
  readonly found: KeptIdea | null
  readonly before: IdeaVersion | null
  readonly atMs: number
}

async function applyChange(
  trx: Transaction<AccountTables>,
  id: string,
  { name, rule, draft, missing }: NonNullable<IdeaChange['idea']>,
  { found, before, atMs }: Found,
): Promise<void> {
  let version = found?.current?.version ?? 0
  if (rule === 'back') version = before?.version ?? 0
  else if (rule && rule.ruleHash !== found?.current?.ruleHash) {
    const parent = version === 0 ? null : version
    version = await nextVersion(trx, id)
    const { spec, ruleHash, say } = rule
    await trx
      .insertInto('lab_versions')
      .values({
        ...{ idea_id: id, version, parent, spec, rule_hash: ruleHash, say },
        created_at: atMs,
      })
      .execute()
  }
  await trx
    .updateTable('lab_ideas')
    .set({ name, version, draft, missing: JSON.stringify(missing) })
    .where('id', '=', id)
    .execute()
}

async function nextVersion(trx: Transaction<AccountTables>, ideaId: string): Promise<number> {
  const { last } = await trx
    .selectFrom('lab_versions')
    .select(({ fn }) => fn.max<number | null>('version').as('last'))
    .where('idea_id', '=', ideaId)
    .executeTakeFirstOrThrow()
  return Number(last ?? 0) + 1
}

async function keepMessages(
  trx: Transaction<AccountTables>,
  idea: KeptIdea,
  messages: IdeaChange['messages'],
  atMs: number,
): Promise<void> {
  const { last } = await trx
    .selectFrom('lab_messages')
    .select(({ fn }) => fn.max<number | null>('n').as('last'))
    .where('idea_id', '=', idea.id)
    .executeTakeFirstOrThrow()
  const first = Number(last ?? 0) + 1
  if (first + messages.length - 1 > IDEA_MESSAGES_MAX) {
    throw new LabFull(
      `the idea has ${first - 1} messages; the limit is ${IDEA_MESSAGES_MAX}. Begin a new idea.`,
    )
  }
  const list = (value: readonly string[] | null) => (value ? JSON.stringify(value) : null)
  await trx
    .insertInto('lab_messages')
    .values(
      messages.map(({ sender, text, kind, missing, errors }, index) => ({
        ...{ idea_id: idea.id, n: first + index, at: atMs, sender, text, kind },
        version: sender === 'lab' && kind === 'spec' ? (idea.current?.version ?? null) : null,
        rule_hash: sender === 'lab' && kind === 'spec' ? (idea.current?.ruleHash ?? null) : null,
        missing: list(missing),
        errors: list(errors),
      })),
    )
    .execute()
}

const ideaRows = (db: Reading, accountId: string) =>
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

async function readIdeas(db: Reading, accountId: string): Promise<KeptIdea[]> {
  return (await ideaRows(db, accountId).orderBy('number').execute()).map(ideaOf)
}

/** An idea that is not deleted; null where the account has no such one. */
export async function readIdea(
  db: Reading,
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
const numberOrNull = (value: number | null) => (value === null ? null : Number(value))

async function versionBefore(db: Reading, idea: KeptIdea): Promise<IdeaVersion | null> {
  const parent = idea.current?.parent ?? null
  if (parent === null) return null
  const row = await db
    .selectFrom('lab_versions')
    .selectAll()
    .where('idea_id', '=', idea.id)
    .where('version', '=', parent)
    .executeTakeFirstOrThrow()
  const { spec, rule_hash: ruleHash, say } = row
  return { version: parent, parent: numberOrNull(row.parent), spec, ruleHash, say }
}

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
