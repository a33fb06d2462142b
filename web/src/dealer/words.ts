// Words of the trade that come from the house as ids: positions, phases, events, fields, remedies, kinds of decisions.

import { say, type Text } from '../lib/language.svelte';
import { houseWords } from '../lib/house_words';

function worded(table: Record<string, Text>, id: string): string {
  const found = table[id];
  return found ? say(found) : houseWords(id.replaceAll('-', ' ').replaceAll('_', ' '));
}

const POSITIONS: Record<string, Text> = {
  patron: ['patron', '客人'], dealer: ['dealer', '荷官'], 'pit-supervisor': ['pit supervisor', '监场主任'], 'pit-manager': ['pit manager', '监场经理'],
  'gaming-shift-manager': ['gaming shift manager', '博彩值班经理'], 'casino-operator': ['casino operator', '赌场营运者'],
  'game-supervisor': ['game supervisor', '牌局主任'], 'casino-supervisor': ['casino supervisor', '赌场主任'],
};
export const positionWords = (id: string): string => worded(POSITIONS, id);

const PHASES: Record<string, Text> = {
  '': ['Between rounds', '两局之间'], 'place-your-bets': ['Betting is open', '下注中'], 'no-more-bets': ['Betting is closed', '已停止下注'],
  dealing: ['Dealing', '发牌中'], 'all-cards-dealt': ['All cards dealt', '发牌完毕'], 'result-announced': ['Result announced', '已宣布结果'], paid: ['Paid', '已派彩'],
};
export const phaseWords = (id: string): string => worded(PHASES, id);

const REMEDIES: Record<string, Text> = {
  void: ['The round is void; every stake goes back', '本局作废，退还全部投注'],
  continue: ['The outcome stands; the round goes on', '结果有效，本局继续'],
  reconstruct: ['The cards are put where they belong', '将牌恢复原位'],
  'offer-withdrawal-then-reconstruct': ['Patrons may withdraw, then the cards are put where they belong', '客人可撤注，然后将牌恢复原位'],
  'order-then-offer-withdrawal': ['The order is fixed, then patrons may withdraw', '先定次序，客人随后可撤注'],
  'offer-withdrawal-then-reopen': ['Patrons may withdraw, then betting opens again', '客人可撤注，然后重新开放下注'],
  'offer-withdrawal-unless-decided': ['Patrons may withdraw, unless a wager is decided', '客人可撤注，除非已有投注定出结果'],
  retrieve: ['Taken back and passed on, as long as nobody has looked', '未看牌前收回并重新交付'],
  'dealer-reveals': ['The dealer turns the cards', '由荷官开牌'],
  'deduce-and-replace': ['The missing cards are found by counting, and like cards are used', '清点找出缺牌，以同样的牌代替'],
  'settle-once-then-return': ['Settled one time, afterwards returned', '结算一次，此后退还'],
  'settle-to-limit': ['Settled up to the limit', '按限额结算'],
  refund: ['The stakes are refunded', '退还投注'],
  ruling: ['Somebody in the named position rules on it', '由指定职位裁决'],
};
export const remedyWords = (id: string): string => worded(REMEDIES, id);

const EVENTS: Record<string, Text> = {
  'round-started': ['Betting was opened', '开始下注'], 'betting-closed': ['Betting was closed', '停止下注'], 'wager-placed': ['A wager was placed', '下注'], 'wager-taken-back': ['A wager was taken back', '撤注'],
  'totals-announced': ['The totals were announced', '宣布点数'], 'result-announced': ['The result was announced', '宣布结果'], 'announcement-contradicted': ['The announcement differs from the cards', '报牌与牌面不符'],
  'round-ended': ['The round is over', '本局结束'], 'shoe-loaded': ['The shoe is loaded', '已装靴'], 'cards-shuffled': ['The cards were shuffled', '已洗牌'], 'cards-cut': ['The cards were cut', '已切牌'], 'cut-declined': ['The cut was declined', '谢绝切牌'],
  'cards-verified': ['The cards were counted', '已点牌'], 'shoe-ended': ['The shoe was put away', '收起牌靴'], 'cutting-card-shown': ['The cutting card is out', '切牌已出'], 'dealer-changed': ['The deal was taken', '接手发牌'],
  'table-suspended': ['The table is suspended', '牌桌暂停'], 'table-resumed': ['The table goes on', '牌桌恢复'], 'patron-joined': ['A patron came', '客人加入'], 'patron-left': ['A patron left', '客人离开'],
  'seat-taken': ['A seat was taken', '客人入座'], 'chips-bought': ['Chips were bought', '购买筹码'], 'chips-cashed': ['Chips were cashed', '兑现筹码'], 'chip-request-moved': ['Chips were moved', '筹码调拨'], 'card-squeezed': ['A card was squeezed', '客人看牌'],
  'settings-changed': ['Settings were changed', '更改设置'], 'shuffle-committed': ['A shuffle was committed to', '承诺洗牌'], 'shuffle-revealed': ['The shuffle was revealed', '公开洗牌'], 'contribution-made': ['A patron added to the shuffle', '客人参与洗牌'],
  'cut-made': ['A patron cut', '客人切牌'], 'differential-exceeded': ['The differential is over its limit', '超出投注差额'], 'differential-met': ['The differential is within its limit', '投注差额合限'], 'wager-reduced': ['A wager was reduced', '减少投注'],
  'holder-asked': ['A pit supervisor names who handles the cards', '由监场主任指定看牌人'], 'first-hand-chosen': ['Which hand comes first was chosen', '选定先开的牌'], 'round-capped': ['The cap of the round was applied', '适用本局上限'],
  'nominee-named': ['A nominee is asked for', '提名代理人'], 'nominee-approved': ['The nominee is approved', '批准代理人'], 'nominee-announced': ['The table is told of the nominee', '向全桌宣布代理人'], 'nominee-end-confirmed': ['The patron confirms the end', '客人确认结束代理'],
  'nominee-ended': ['The nominee acts no longer', '代理结束'], 'in-person-ordered': ['Patrons act themselves', '客人须亲自操作'], 'in-person-order-lifted': ['Nominees may act again', '恢复代理'], 'squeeze-granted': ['Somebody may squeeze by leave of the house', '准许看牌'],
  'maximum-granted': ['A maximum of their own', '批准个人上限'], 'area-capped': ['A position is capped', '限制位置'], 'differential-moved': ['The next step about the differential', '差额处理进入下一步'], 'returned-wager-changed': ['A returned wager was changed', '更改退回的投注'],
  'table-opened': ['The table is open', '开台'], 'table-closed': ['The table is closed', '关台'], 'table-stopped': ['The table has stopped', '牌桌停机'], 'unpaid-loss-recorded': ['What was not handed over is on record', '记录未付金额'], 'wager-confirmed': ['A wager was confirmed', '确认投注'],
  'wager-spoken': ['A wager was spoken', '口头投注'], 'deal-confirmed': ['The deal was confirmed', '确认发牌'], 'command-refused': ['Something was refused', '一项请求被拒绝'], 'state-recorded': ['The state is on record', '记录状态'],
  'round-abandoned': ['The round was put away', '取消本局'], 'staff-assigned': ['Staff was assigned', '指派员工'],
  'irregularity-found': ['It goes on record', '记录在案'],
  'incident-opened': ['A ruling is awaited', '等待裁决'],
  'judgement-awaited': ['A judgement is awaited', '等待裁断'],
  'ruling-made': ['The ruling is on record', '裁决记录在案'],
  'irregularity-judged': ['The judgement is on record', '裁断记录在案'],
  'stake-returned': ['Stakes go back to their patrons', '退还投注'],
  'round-voided': ['The round is void', '本局作废'],
  'shoe-condemned': ['The cards are replaced before the next round', '下一局前更换牌组'],
  'withdrawal-offered': ['Patrons are asked whether they withdraw', '询问客人是否撤注'],
  'withdrawal-offer-answered': ['The answer is on record', '答复记录在案'],
  'withdrawal-offer-closed': ['The offer is closed', '询问结束'],
  'betting-reopened': ['Betting opens again', '重新开放下注'],
  'cards-set-aside': ['The cards lie beside the shoe, to be dealt next', '牌置于靴旁，随后发出'],
  'cards-found-mislaid': ['Where the cards lie is on record', '记录牌的位置'],
  'cards-restored': ['The cards go where they belong', '将牌恢复原位'],
  'card-order-fixed': ['The order of the cards is fixed', '确定牌的次序'],
  'cards-exposed': ['The cards lie open', '牌面公开'],
  'hand-mispassed': ['Who has the hand is on record', '记录持牌人'],
  'hand-retrieved': ['The hand goes to whom it is due', '牌交还应得者'],
  'hand-passed': ['The hand goes to the dealer', '牌交回荷官'],
  'cards-revealed': ['The hand is turned over', '开牌'],
  'cards-found-missing': ['The search for the missing cards starts', '开始查找缺牌'],
  'search-attended': ['The manager is present', '经理到场'],
  'cards-sorted': ['The count is shown to everybody', '公示清点结果'],
  'cards-substituted': ['Like cards lie in their place', '同样的牌已就位'],
  'exposed-cards-judged': ['The open cards are judged', '判断已公开的牌'],
  'card-drawn': ['A card is dealt to the hand that is due', '发牌到应得的一手'],
  'card-burned': ['The card is burned', '销牌'],
  'off-limits-wager-found': ['The wager is settled as the clause says', '按条款结算该投注'],
  'late-chips-returned': ['The chips go back; they never were a wager', '退还筹码，不作投注'],
  'wager-lifted': ['The wager stays at risk', '投注仍然有效'],
  'payments-reversed': ['Payments are reversed', '撤销派彩'],
  'round-reversed': ['The round is reversed', '撤销该局'],
  'wager-settled': ['Wagers are settled', '结算投注'],
  'spoken-wager-ended': ['Spoken wagers lapse', '口头投注失效'],
};
export const eventWords = (id: string): string => worded(EVENTS, id);

const FIELDS: Record<string, Text> = {
  hand: ['Which hand', '哪手牌'], card: ['Card', '牌'], cards: ['Cards', '牌'], patron: ['Patron', '客人'], to: ['Who has it', '交给了谁'], place: ['Position', '位置'],
  wager: ['Wager', '投注项'], amount: ['Amount', '金额'], told: ['What happened', '发生了什么'], reason: ['Reason', '理由'], why: ['Why', '原因'], kind: ['Kind', '种类'],
  recoverable: ['The order of the cards can be restored', '牌的次序可以恢复'], also: ['What came to light with it', '同时发现'], places: ['Which cards', '哪些牌'],
  lies: ['Where each card lies', '每张牌的位置'], order: ['In which order they left the shoe', '出靴次序'], put_right: ['It can be put right', '可以更正'],
  order_known: ['The order is known', '次序可知'], count: ['How many', '张数'], counted: ['Cards counted', '点得张数'], decision: ['Decision', '裁决'], winner: ['Result', '结果'],
  withdraw: ['Withdraws', '撤注'], wagers: ['Which wagers', '哪些投注'], gone: ['The patron has left', '客人已离开'], established: ['What surveillance saw', '监控所见的牌'],
  left: ['Cards that stayed behind', '留下的牌'], counts: ['How many of each were found', '每种牌的张数'], cut_by: ['Who cuts', '谁切牌'], cut_behind: ['Cards behind the cutting card', '切牌后的张数'],
  declined: ['Who declined the cut', '谁谢绝切牌'], person: ['Person', '人员'], number: ['Number', '编号'], round: ['Round', '局'], wagering: ['With wagers', '接受投注'],
  act: ['What', '事项'], patrons: ['Patrons', '客人'], acting: ['Acting', '代理职务'], chips: ['Chips', '筹码'], cash: ['In cash', '现金'], most: ['At most', '最多'], seat: ['Seat', '座位'],
  behind: ['Cards behind it', '其后张数'], value: ['Value', '内容'], step: ['Step', '步'], float_counted: ['Counted in the tray', '点得筹码盘'], counted_by: ['Counted by', '清点人'],
};
export const fieldWords = (id: string): string => worded(FIELDS, id);

const CHOICES: Record<string, Text> = {
  continue: ['Play on', '继续'], void: ['Void the round', '本局作废'], burn: ['Burn the card first', '先销牌'], fill: ['Fill', '补码'], credit: ['Credit', '退码'],
  wager: ['Wager', '下注'], handle: ['Handle cards', '看牌'], tie: ['Tie', '和'], yes: ['Yes', '是'], no: ['No', '否'],
};
export const choiceWords = (id: string): string => worded(CHOICES, id);

const WAITS: Record<string, Text> = {
  'a ruling': ['A ruling', '裁决'], 'answers to an offer': ['Answers of patrons', '客人的答复'], 'the table differential': ['The table differential', '投注差额'],
  'a pit supervisor to name who handles the cards': ['A pit supervisor, to name who handles the cards', '监场主任指定看牌人'],
};
export const waitWords = (id: string): string => worded(WAITS, id);
