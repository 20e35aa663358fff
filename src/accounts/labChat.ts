import type { Transaction } from 'kysely'
import { randomBase62 } from './apiKey.ts'
import {
  type IdeaReader,
  type LabDatabase,
  lockAccount,
  numberOrNull,
  readIdea,
} from './labIdeas.ts'
import {
  IDEA_MESSAGES_MAX,
  IDEAS_MAX,
  type IdeaChange,
  type IdeaChat,
  type IdeaVersion,
  type KeptIdea,
  type LabStore,
} from './labTypes.ts'
import { type ChangeAnswer, forgetRepeats, keepAnswer, type Repeat, readAnswer } from './repeats.ts'
import type { AccountTables } from './schema.ts'

/** An account has as many ideas, or an idea as many messages, as there may be. */
export class LabFull extends Error {}

/** Other processes changed an idea each time that a message was decided on it. */
export class LabBusy extends Error {}

/** How often a message is decided, when others change its idea in the meantime. */
const ATTEMPTS_MAX = 8

/** Messages to LAB, and what they make of the ideas of accounts. */
export function chatOperations(database: LabDatabase) {
  return {
    chat: async chat => {
      const taken = await takeMessage(database, chat, null)
      return taken as Exclude<typeof taken, ChangeAnswer | 'reused'>
    },
    chatOnce: async ({ repeat, answerOf, ...chat }) => {
      const taken = await takeMessage(database, chat, { repeat, answerOf })
      return taken as Exclude<typeof taken, Taken<unknown>>
    },
  } satisfies Partial<LabStore>
}

type Once<Told> = {
  readonly repeat: Repeat
  readonly answerOf: (told: Told, idea: KeptIdea | null) => string
}

type Taken<Told> = { readonly told: Told; readonly idea: KeptIdea | null }

/** Decides on what an account has, and writes it in one short transaction where it still holds. */
async function takeMessage<Told extends IdeaChange>(
  { db, reader, isConcurrent }: LabDatabase,
  chat: IdeaChat<Told>,
  once: Once<Told> | null,
): Promise<Taken<Told> | ChangeAnswer | 'reused' | null> {
  const { accountId } = chat
  for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
    const answered = once && (await readRepeat(reader, chat, once.repeat))
    if (answered) return answered
    const seen = await readBase(reader, chat)
    if (!seen) return null
    refuseFull(seen)
    const told = await chat.decide(seen.idea, seen.before)
    const taken = await db.transaction().execute(async trx => {
      if (isConcurrent) await lockAccount(trx, accountId)
      if (once) await forgetRepeats(trx, { accountId, atMs: chat.atMs })
      const repeated = once && (await readRepeat(trx, chat, once.repeat))
      if (repeated) return repeated
      const base = await readBase(trx, chat)
      if (!base) return null
      if (!isSameBase(seen, base)) return 'changed'
      refuseFull(base)
      const idea = await writeMessage(trx, chat, base, told)
      if (!once) return { told, idea }
      const answer = once.answerOf(told, idea)
      await keepAnswer(trx, { accountId, atMs: chat.atMs, repeat: once.repeat }, answer)
      return { answer, isReplay: false }
    })
    if (taken !== 'changed') return taken
  }
  throw new LabBusy('the idea is being changed by other messages; send this one again in a second.')
}

/** The answer to a message that was sent with a key before. */
async function readRepeat(
  db: IdeaReader,
  { accountId, atMs }: Pick<IdeaChat<IdeaChange>, 'accountId' | 'atMs'>,
  repeat: Repeat,
): Promise<ChangeAnswer | 'reused' | null> {
  const answered = await readAnswer(db, { accountId, atMs, repeat })
  if (!answered) return null
  if (answered.request_hash !== repeat.requestHash) return 'reused'
  return { answer: answered.answer, isReplay: true }
}

/** What a message is decided on, and how much of its limits is used. */
type ChatBase = {
  readonly idea: KeptIdea | null
  readonly before: IdeaVersion | null
  /** Messages that the idea has; null without an idea. */
  readonly messages: number | null
  /** Ideas that the account has; null where the message begins none. */
  readonly ideas: number | null
}

/** Null where the account has no such idea. */
async function readBase(
  db: IdeaReader,
  { accountId, ideaId }: Pick<IdeaChat<IdeaChange>, 'accountId' | 'ideaId'>,
): Promise<ChatBase | null> {
  if (ideaId === null) {
    const ideas = await countIdeas(db, accountId)
    return { idea: null, before: null, messages: null, ideas }
  }
  const idea = await readIdea(db, accountId, ideaId)
  if (!idea) return null
  const before = await versionBefore(db, idea)
  return { idea, before, messages: await countMessages(db, ideaId), ideas: null }
}

/** True when what is decided on one is right for the other. */
function isSameBase(one: ChatBase, other: ChatBase): boolean {
  const decisive = ({ idea, before }: ChatBase) =>
    JSON.stringify(idea && [idea.current, idea.draft, idea.missing, before])
  return decisive(one) === decisive(other)
}

/** Fails where the idea, or the account for a new one, has all that there may be. */
function refuseFull({ messages, ideas }: ChatBase): void {
  if (messages !== null && messages >= IDEA_MESSAGES_MAX) throw fullIdea(messages)
  if (ideas !== null && ideas >= IDEAS_MAX) {
    throw new LabFull(`the account keeps ${IDEAS_MAX} ideas, which is the limit; delete one first.`)
  }
}

const fullIdea = (messages: number) =>
  new LabFull(
    `the idea has ${messages} messages; the limit is ${IDEA_MESSAGES_MAX}. Begin a new idea.`,
  )

async function countIdeas(db: IdeaReader, accountId: string): Promise<number> {
  const { count } = await db
    .selectFrom('lab_ideas')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('account_id', '=', accountId)
    .where('deleted_at', 'is', null)
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** Messages are numbered from 1 on. */
async function countMessages(db: IdeaReader, ideaId: string): Promise<number> {
  const { last } = await db
    .selectFrom('lab_messages')
    .select(({ fn }) => fn.max<number | null>('n').as('last'))
    .where('idea_id', '=', ideaId)
    .executeTakeFirstOrThrow()
  return Number(last ?? 0)
}

async function writeMessage(
  trx: Transaction<AccountTables>,
  { accountId, atMs }: Pick<IdeaChat<IdeaChange>, 'accountId' | 'atMs'>,
  { idea: found, before }: ChatBase,
  told: IdeaChange,
): Promise<KeptIdea | null> {
  const id = found?.id ?? (told.idea ? await beginIdea(trx, accountId, told.idea.name, atMs) : null)
  if (id === null) return null
  if (told.idea) await applyChange(trx, id, told.idea, { found, before, atMs })
  // whatever was said, the idea has to be tested again
  await trx
    .updateTable('lab_ideas')
    .set({ stage: 'rule', is_on: 0, updated_at: atMs })
    .where('id', '=', id)
    .execute()
  const idea = (await readIdea(trx, accountId, id))!
  await keepMessages(trx, idea, told.messages, atMs)
  return idea
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
  const count = await countMessages(trx, idea.id)
  if (count + messages.length > IDEA_MESSAGES_MAX) throw fullIdea(count)
  const list = (value: readonly string[] | null) => (value ? JSON.stringify(value) : null)
  await trx
    .insertInto('lab_messages')
    .values(
      messages.map(({ sender, text, kind, missing, errors }, index) => ({
        ...{ idea_id: idea.id, n: count + 1 + index, at: atMs, sender, text, kind },
        version: sender === 'lab' && kind === 'spec' ? (idea.current?.version ?? null) : null,
        rule_hash: sender === 'lab' && kind === 'spec' ? (idea.current?.ruleHash ?? null) : null,
        missing: list(missing),
        errors: list(errors),
      })),
    )
    .execute()
}

async function versionBefore(db: IdeaReader, idea: KeptIdea): Promise<IdeaVersion | null> {
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
