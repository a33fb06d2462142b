// What each kind of record says, in words. What stands in braces is filled in from the record; a kind that is not here is told by its name.

import { houseWords } from '../lib/house_words';
import { say, speech, type Text } from '../lib/language.svelte';
import { decimal, shown } from '../lib/money';
import type { StoredEvent } from '../lib/contract';

export const EVENTS: Record<string, Text> = {
  // money at the table
  'chips-bought': ['{patron} buys chips for {amount}', '{patron} 购买筹码 {amount}'], 'chips-cashed': ['{patron} takes chips for {amount} away', '{patron} 兑回筹码 {amount}'],
  'chips-moved': ['{kind} {number} of {amount}: {stage}', '{kind} {number}，{amount}：{stage}'], 'unpaid-recorded': ['{patron} owes {amount}', '{patron} 欠付 {amount}'],
  // wagers
  'wager-placed': ['{patron} wagers {added} on {wager} at position {place}', '{patron} 在 {place} 号位 {wager} 下注 {added}'], 'wager-taken-back': ['{patron} takes {returned} back from {wager}', '{patron} 从 {wager} 撤回 {returned}'],
  'wager-confirmed': ['A wager is confirmed', '确认一项投注'], 'wager-settled': ['{wager} of {patron}: {line}, {net}', '{patron} 的 {wager}：{line}，{net}'], 'wager-spoken': ['A wager is spoken', '口头投注'],
  'spoken-wager-ended': ['A spoken wager ends', '口头投注结束'], 'returned-changed': ['A returned wager is changed', '更改退回的投注'], 'wager-reduced': ['{wager} of {patron} is reduced by {returned}', '{patron} 的 {wager} 减少 {returned}'],
  'wager-lifted': ['A wager was pulled back after the call', '停止下注后撤回投注'], 'late-chips-returned': ['Late chips of {patron} go back', '退还 {patron} 迟放的筹码'], 'off-limits-found': ['{wager} of {patron} is off the limits', '{patron} 的 {wager} 超出限额'],
  'stake-returned': ['{wager} of {patron}, {amount}, goes back', '退还 {patron} 的 {wager} {amount}'], 'area-capped': ['An area is capped at {most}', '区域限额 {most}'],
  'differential-exceeded': ['The table differential is exceeded', '超出投注差额'], 'differential-moved': ['The next step about the differential', '差额处理进入下一步'], 'differential-met': ['The table differential is met', '投注差额已符合'],
  'payments-reversed': ['Payments of round {number} to {patron} are taken back', '撤销第 {number} 局对 {patron} 的派彩'], 'round-capped': ['The round of {patron} is capped: {cut} stays with the house', '{patron} 本局封顶，{cut} 归本场'],
  // the round
  'round-started': ['Round {number}: place your bets', '第 {number} 局：请下注'], 'betting-closed': ['Round {number}: no more bets', '第 {number} 局：停止下注'], 'deal-confirmed': ['{person} confirms the deal', '{person} 确认发牌'],
  'round-abandoned': ['Round {number} is put away, nobody wagered', '第 {number} 局取消，无人下注'], 'card-drawn': ['{card} is drawn', '发牌 {card}'], 'cutting-card-shown': ['The cutting card comes', '出现切牌'],
  'totals-announced': ['{says}', '{says}'], 'result-announced': ['{says}', '{says}'], 'announcement-differs': ['{announced} was announced, the cards say {cards_say}', '宣布为 {announced}，牌面为 {cards_say}'],
  'round-ended': ['Round {number} is over', '第 {number} 局结束'], 'round-voided': ['Round {number} is void', '第 {number} 局作废'], 'round-reversed': ['Round {number} is reversed', '第 {number} 局被撤销'], 'betting-reopened': ['Betting of round {number} opens again', '第 {number} 局重新开放下注'],
  'hand-passed': ['A hand goes to {to}', '交牌给 {to}'], 'holder-asked': ['A supervisor names who handles the cards', '由主任指定看牌人'], 'squeeze-granted': ['{person} may squeeze', '准许 {person} 看牌'], 'first-hand-chosen': ['Which hand is turned first', '选定先开的一手'],
  'card-squeezed': ['A card is squeezed', '咪牌'], 'cards-revealed': ['A hand is turned over', '开牌'],
  // the shoe
  'shuffle-committed': ['Shuffle {number} is committed to', '承诺第 {number} 次洗牌'], 'contribution-made': ['Somebody adds to shuffle {number}', '客人参与第 {number} 次洗牌'], 'cut-made': ['{person} cuts shuffle {number}', '{person} 为第 {number} 次洗牌切牌'],
  'shuffle-revealed': ['The secret of shuffle {number} is revealed', '公布第 {number} 次洗牌的密钥'], 'cards-verified': ['{person} counts {counted} cards', '{person} 点牌 {counted} 张'], 'cards-shuffled': ['The cards are shuffled', '洗牌'],
  'cut-declined': ['{person} declines the cut', '{person} 谢绝切牌'], 'cards-cut': ['{person} cuts the cards', '{person} 切牌'], 'shoe-loaded': ['A shoe is loaded', '装靴'], 'shoe-ended': ['Shoe {number} is put away', '收起第 {number} 靴'], 'shoe-condemned': ['Shoe {number} is not used again', '第 {number} 靴停用'], 'card-burned': ['A card is burned', '销牌'],
  // people at the table
  'patron-joined': ['{person} comes to the table', '{person} 来到牌桌'], 'patron-left': ['{person} leaves the table', '{person} 离开牌桌'], 'seat-taken': ['{person} takes another seat', '{person} 换座'], 'maximum-granted': ['{person} may stake up to {most}', '{person} 个人上限 {most}'],
  'staff-assigned': ['{person} is assigned', '指派 {person}'], 'dealer-changed': ['{dealer} deals', '荷官：{dealer}'], 'nominee-named': ['A nominee is named', '指定代理人'], 'nominee-approved': ['The nominee of {patron} is approved', '批准 {patron} 的代理人'],
  'nominee-announced': ['{says}', '{says}'], 'nominee-end-confirmed': ['{patron} confirms that the nominee ends', '{patron} 确认结束代理'], 'nominee-ended': ['{says}', '{says}'], 'ordered-themselves': ['Patrons shall act themselves', '要求客人亲自操作'], 'order-lifted': ['Nominees may act again', '恢复代理'],
  // the house at the table
  'table-opened': ['The table opens with {float_counted}', '开台，清点 {float_counted}'], 'table-closed': ['The table is closed: {float_counted} counted, won {win}', '关台：清点 {float_counted}，赢数 {win}'], 'settings-changed': ['Settings are changed', '更改设置'],
  'table-suspended': ['The table is suspended: {reason}', '暂停牌桌：{reason}'], 'table-resumed': ['The table goes on', '恢复牌桌'], 'table-stopped': ['The table stops: a defect', '牌桌停机：程序缺陷'], 'state-recorded': ['The state of the table is put on record', '记录牌桌状态'], 'command-refused': ['Refused: {reason}', '被拒绝：{reason}'],
  // irregularities
  'irregularity-found': ['Irregularity: {kind}', '异常：{kind}'], 'incident-opened': ['An incident: {told}', '事件：{told}'], 'ruling-made': ['Ruling: {decision}. {reason}', '裁决：{decision}。{reason}'], 'judgement-awaited': ['A judgement is awaited: {kind}', '等待裁断：{kind}'], judged: ['Judged: {kind}', '裁断：{kind}'],
  'withdrawal-offered': ['Patrons may withdraw', '客人可撤注'], 'withdrawal-answered': ['{patron} answers the offer', '{patron} 答复'], 'withdrawal-closed': ['The offer is closed', '询问结束'], 'exposed-cards-judged': ['Exposed cards are judged', '判断公开的牌'],
  'cards-set-aside': ['Cards are set aside', '牌置于一旁'], 'cards-found-lying': ['Cards lie on other hands', '牌放错手'], 'cards-exposed': ['Cards lie open', '牌被翻开'], 'cards-restored': ['Cards are put right', '牌已恢复原位'], 'order-fixed': ['The order of the cards is fixed', '确定牌的次序'],
  'hand-mispassed': ['A hand went to the wrong person', '牌交错人'], 'hand-retrieved': ['A hand is taken back', '收回牌'], 'cards-gone': ['Cards are missing', '缺牌'], 'manager-attends': ['{person} attends', '{person} 到场'], 'cards-sorted': ['All other cards are counted', '清点其余牌'], 'cards-substituted': ['Like cards take their place', '以同样的牌代替'],
  // accounts
  'account-created': ['The account of {person} is created', '开立 {person} 的账户'], 'position-changed': ['The position is changed', '变更职位'], 'password-changed': ['The password is changed', '更改密码'], 'display-name-set': ['Shown to others as {after}', '对他人显示为 {after}'], 'account-closed': ['The account is closed', '关闭账户'],
  'session-started': ['Signed in from {address}', '登录：{address}'], 'session-ended': ['Signed out', '退出登录'], 'sign-in-refused': ['A sign-in was refused', '登录被拒'], 'account-locked': ['The account is locked', '账户锁定'], 'guesses-delayed': ['Unknown sources have to wait', '陌生来源须等待'], 'account-unlocked': ['The account is unlocked', '账户解锁'],
  'limit-changed': ['Own limit of {kind} a {span} is changed', '更改自设限额：{kind}/{span}'], 'higher-limit-asked': ['A higher limit of {kind} a {span} is asked for', '申请提高限额：{kind}/{span}'], 'limit-imposed': ['The house limits {kind} a {span}', '本场施加限额：{kind}/{span}'], 'limits-reviewed': ['Own limits are looked at', '查看自设限额'],
  'cool-off-started': ['A break is taken', '开始冷静期'], 'self-excluded': ['Excluded themselves', '自我禁制'], 'return-asked': ['Asked to come back', '申请恢复'], 'patron-barred': ['Barred by the house', '被本场禁入'], 'bar-lifted': ['The bar is lifted', '解除禁入'],
  'reality-check-set': ['Another time between reality checks', '更改提醒间隔'], 'check-acknowledged': ['A reality check is acknowledged', '确认时间提醒'], 'paid-in': ['{amount} is paid in for {person}', '为 {person} 存入 {amount}'], 'paid-out': ['{amount} is paid out to {person}', '支付 {person} {amount}'], 'house-refused': ['Refused: {reason}', '被拒绝：{reason}'],
  // the house
  'house-started': ['Node {node} starts version {version}', '节点 {node} 启动，版本 {version}'], 'program-checked': ['The program of {node} is hashed', '核验节点 {node} 的程序'], 'game-approved': ['{game} is approved', '批准游戏 {game}'], 'approval-withdrawn': ['The approval of {game} is withdrawn', '撤销对 {game} 的批准'],
  'table-made': ['Table {table} is made', '建立牌桌 {table}'], 'alert-raised': ['Alert {number}: {kind}. {says}', '警报 {number}：{kind}。{says}'], 'alert-acknowledged': ['Alert {number} is acknowledged', '警报 {number} 已确认'], 'clock-stepped': ['The clock of {node} was moved', '节点 {node} 的时钟被调整'], 'strangers-refused': ['Sign-ins under unknown names', '使用未知账号登录'],
  'order-given': ['Order {number} for table {table}, once the round is over', '给牌桌 {table} 的第 {number} 号指令，待本局结束'], 'order-done': ['Order {number} is done at table {table}', '牌桌 {table} 已执行第 {number} 号指令'], 'order-refused': ['Order {number} is refused at table {table}: {says}', '牌桌 {table} 拒绝第 {number} 号指令：{says}'], 'order-taken-back': ['Order {number} for table {table} is taken back', '撤回给牌桌 {table} 的第 {number} 号指令'],
};

export const MONEY = new Set(['amount', 'added', 'net', 'cut', 'most', 'float_counted', 'drop', 'win', 'returned', 'commission', 'difference', 'claim', 'unpaid']);

export function kindOf(event: StoredEvent): string {
  return event.event.split('/')[0] ?? event.event;
}

/** The record in a sentence; amounts are whole numbers of the smallest unit, with so many decimals. */
export function eventSentence(event: StoredEvent, decimals: number): string {
  const kind = kindOf(event);
  const words = EVENTS[kind];
  return words ? say(words, values(event, decimals)) : kind.replaceAll('-', ' ');
}

/** The name of a kind: its words, with dots for what is filled in, or its stored name. */
export function kindName(kind: string): string {
  const words = EVENTS[kind];
  if (!words || (speech.now === 'en' && say(words).includes('{'))) return kind.replaceAll('-', ' ');
  return say(words).replace(/\{\w+\}/g, '…');
}

function values(event: StoredEvent, decimals: number): Record<string, string> {
  const flat: Record<string, unknown> = { ...event, ...inner(event['stake']), ...inner(event['request']), ...inner(event['card']) };
  return Object.fromEntries(Object.entries(flat).map(([name, value]) => [name, spoken(name, fieldText(name, value, decimals))]));
}

const SENTENCES = new Set(['line', 'says', 'reason', 'told', 'why']);
const IDS = new Set(['wager', 'announced', 'cards_say', 'winner', 'kind', 'decision']);

/** For readers of Chinese: what the house said, and names of wagers and hands, as far as it has words for them. */
function spoken(name: string, text: string): string {
  if (speech.now === 'en') return text;
  if (SENTENCES.has(name)) return houseWords(text);
  if (!IDS.has(name)) return text;
  const titled = text.split('-').map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join(' ');
  const known = houseWords(titled);
  return known === titled ? houseWords(text) : known;
}

function inner(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {};
}

/** A field as people read it. */
export function fieldText(name: string, value: unknown, decimals: number): string {
  if (MONEY.has(name) && typeof value === 'number' && Number.isSafeInteger(value)) {
    return shown(decimal(BigInt(value), decimals), { sign: name === 'net' || name === 'win' });
  }
  if (value === null) return '–';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** Every field as people read it; what stands within another is told with both names. */
export function flatFields(event: StoredEvent, decimals: number): [name: string, text: string][] {
  return Object.entries(event).flatMap(([name, value]): [string, string][] => {
    const parts = Object.entries(inner(value));
    return parts.length ? parts.map(([part, one]) => [`${name} · ${part}`, fieldText(part, one, decimals)]) : [[name, fieldText(name, value, decimals)]];
  });
}
