// What is better left alone: controls that look as if they destroyed something, ended the session or cost money.

const MAX_WORDS = 5; // a longer text is not what stands on such a control
const MAX_SIGNS = 12; // likewise, where words are not set apart

const DESTROYS = "looks destructive";
const ENDS = "ends the session";
const PAYS = "looks like a purchase";

const listed = (words) => words.replace(/\s*\n\s*/g, "");

// Whole words, by reason; in each language as they stand on controls.
const WORDS = [
  [ENDS, `log[ -]?out|sign[ -]?out|log[ -]?off|sign[ -]?off|log me out|end session|exit session
    |abmelden|ausloggen|abmeldung|déconnexion|se déconnecter|déconnecter|cerrar sesión|desconectar|desconectarse
    |disconnetti|disconnettersi|esci|uitloggen|afmelden|terminar sessão|encerrar sessão|sair
    |wyloguj|wyloguj się`],
  [DESTROYS, `delete|remove|erase|destroy|wipe|unsubscribe|deactivate|close (my |your |this |the )?account|cancel (my |your )?subscription
    |terminate|factory reset|reset (all |the |my )?data(base)?|clear (all |the )?(data|database)|drop (table|database)
    |löschen|entfernen|abbestellen|deaktivieren|konto schließen|kündigen
    |supprimer|effacer|enlever|retirer|désabonner|se désabonner|désactiver|résilier
    |eliminar|borrar|quitar|suprimir|darse de baja|desactivar|cancelar suscripción
    |elimina|cancella|rimuovi|disattiva|disiscriviti|annulla iscrizione
    |verwijderen|verwijder|uitschrijven|deactiveren|opzeggen
    |excluir|apagar|remover|desativar|cancelar assinatura
    |usuń|skasuj|wypisz się|dezaktywuj`],
].map(([reason, words]) => [reason, new RegExp(`(?<![\\p{L}\\p{N}])(${listed(words)})(?![\\p{L}\\p{N}])`, "iu")]);
// The whole label: "Buy milk" is something to do, "Buy now" costs money.
const PAYING = new RegExp(`^(${listed(`buy|pay|purchase|order now|place (your |my |the )?order
    |(complete|confirm|submit) (your |my |the )?(order|purchase|payment)
    |kaufen|(zahlungspflichtig|kostenpflichtig|jetzt) bestellen|jetzt (kaufen|bezahlen)|bezahlen
    |acheter|payer|passer (la )?commande|comprar|pagar|acquista|paga|ordina ora|kopen|nu kopen|betalen|finalizar compra
    |kup|kup teraz|zapłać|zamawiam`)})( now| it| this| all| maintenant| ahora| ora| agora| [^\\p{L}]*\\d.*| with .*)?$`, "iu");
const SIGNS = [
  [ENDS, /ログアウト|サインアウト|退出登录|退出登錄|登出|注销登录/],
  [DESTROYS, /削除|消去|退会|配信停止|删除|刪除|移除|清空|注销|註銷|退订|停用/],
  [PAYS, /購入|注文する|注文を確定|支払う|购买|購買|支付|付款|下单|结账/],
];
// With these the words mean something harmless: "Remove filter", "Cancel delete", "Purchase history", "How to pay".
const HARMLESS = new RegExp(listed(`(?<![\\p{L}])(filters?|sort(ing)?|formatting|highlights?|highlighting|zoom|selection|search|undo|cancel delet\\w+
  |don['’]t|do not|never|without|how|why|what|history|slips?|stubs?|roll|guide|help|about|tags?|borders?|columns?
  |filtern?|filtre|filtro|filtry?|abbrechen)(?![\\p{L}])`), "iu");
const ENDING_PATH = /(^|[/?&=#!._-])(log-?out|sign-?out|log-?off|sign-?off|logoff|abmelden|deconnexion)([/?&=#._-]|$)/i;
const DESTROYING_PATH = /(^|[/?&])(delete|remove|destroy)([/=]\w*\d|\?)|\d\/(delete|remove|destroy)([/?#]|$)|=(delete|destroy)(&|#|$)|(^|[/?&])(unsubscribe|deactivate)([/?&=#]|$)/i;
const ICON = /(^|[\s_-])(trash|trashcan|delete|log-?out|sign-?out|power-?off)([\s_-]|$)/i;
const INNER = "button, a, input, [role=button]"; // what is said may stand on one of these
const FIRED = new Set(["click", "dblclick", "submit"]);
const SKIPPED = SETTINGS.skipText.map((words) => words.toLowerCase());

let leftAlone = []; // the controls on the page that are not fired, with the reasons

/** The same texts come again after every step: what they mean is found out once. */
function remembered(read) {
  const known = new Map();
  return (text) => {
    let reason = known.get(text);
    if (reason === undefined) {
      if (known.size > 5000) known.clear();
      known.set(text, (reason = text ? read(text) : ""));
    }
    return reason;
  };
}

const reasonOfWords = remembered(readWords);
const reasonOfAddress = remembered((address) => (ENDING_PATH.test(address) ? ENDS : DESTROYING_PATH.test(address) ? DESTROYS : ""));

function readWords(label) {
  const signs = SIGNS.find(([, words]) => label.length <= MAX_SIGNS && words.test(label));
  if (signs) return signs[0];
  const words = label.match(/[\p{L}\p{N}'’]+/gu) ?? [];
  if (!words.length || words.length > MAX_WORDS || HARMLESS.test(label)) return "";
  if (PAYING.test(label.replace(/^[^\p{L}]+|[^\p{L}\p{N}]+$/gu, ""))) return PAYS;
  return WORDS.find(([, pattern]) => pattern.test(label))?.[0] ?? "";
}

/** Why a control is better left alone, or "". */
function reasonOf(element, name) {
  const tag = element.localName;
  if (tag === "form") return reasonOfForm(element);
  if (/^(checkbox|radio|text)$/.test(element.type) || element.getAttribute("role") === "tab") return "";
  const reason = reasonOfWords(name) || reasonOfWords(element.getAttribute("title"));
  if (reason && (isNative(element, tag) || !element.querySelector(INNER))) return reason;
  if (tag === "a" || tag === "area") {
    const followed = reasonOfAddress(element.getAttribute("href"));
    if (followed) return followed;
  }
  if (element.hasAttribute("hx-delete") || /^delete$/i.test(element.getAttribute("data-method"))) return DESTROYS;
  const icon = /\p{L}/u.test(name) ? "" : iconOf(element);
  if (icon) return /out|off/i.test(icon) ? ENDS : DESTROYS;
  const form = element.type === "submit" || element.type === "image" ? element.form : null;
  return reasonOfAddress(element.getAttribute("formaction")) || (form ? reasonOfAction(form) : "");
}

/** The classes of a control or of the picture in it that show what it does. */
function iconOf(element) {
  const classes = [element, ...element.querySelectorAll("i, svg, span")].slice(0, 4).map((each) => each.getAttribute("class") ?? "");
  return classes.find((text) => ICON.test(text)) ?? "";
}

function reasonOfAction(form) {
  if (form.querySelector('input[name="_method"][value="delete" i]')) return DESTROYS;
  return reasonOfAddress(form.getAttribute("action"));
}

function reasonOfForm(form) {
  return reasonOfAction(form) || submitButtons(form).map((button) => reasonOf(button, nameOf(button))).find(Boolean) || "";
}

/** Tell whether an event may be fired; note it where only care forbids it. */
function mayFire(event) {
  const { kind, element, value } = event;
  if (!element) return true;
  if (SKIP && element.closest(SKIP)) return false;
  const submits = kind === "key" && value === "Enter" && element.form;
  const isCareful = !SETTINGS.fireAll && (FIRED.has(kind) || submits);
  if (!isCareful && !SKIPPED.length) return true;
  event.facts ??= factsOf(element, event.row);
  const { name } = event.facts;
  if (SKIPPED.length && SKIPPED.some((words) => name.toLowerCase().includes(words))) return false;
  const reason = isCareful ? reasonOf(submits ? element.form : element, name) : "";
  if (reason) leftAlone.push({ event, reason });
  return !reason;
}

function leftAloneHere() {
  return leftAlone.slice(0, 200).map(({ event: { kind, element }, reason }) => [
    (nameOf(element) || element.getAttribute("title") || element.localName).slice(0, 200), kind, locatorOf(element), reason,
  ]);
}

/** Those of some selectors that are none. */
function badSelectors(selectors) {
  return selectors.filter((selector) => !usable(selector));
}

/** A selector, or nothing where it is none: the page must not suffer for it. */
function usable(selector) {
  if (!selector) return "";
  try {
    document.createDocumentFragment().querySelector(selector);
    return selector;
  } catch {
    return "";
  }
}
