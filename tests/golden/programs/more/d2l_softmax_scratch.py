import torch
torch.manual_seed(7)
def softmax(X):
    X_exp = torch.exp(X)
    partition = X_exp.sum(1, keepdims=True)
    return X_exp / partition
X = torch.rand((2, 5))
X_prob = softmax(X)
print(X_prob, X_prob.sum(1))
def cross_entropy(y_hat, y):
    return -torch.log(y_hat[list(range(len(y_hat))), y])
y = torch.tensor([0, 2])
y_hat = torch.tensor([[0.1, 0.3, 0.6], [0.3, 0.2, 0.5]], requires_grad=True)
print(y_hat[[0, 1], y])
l = cross_entropy(y_hat, y)
print(l)
l.mean().backward()
print(y_hat.grad)
def accuracy(preds, y):
    preds = preds.reshape((-1, preds.shape[-1]))
    a = preds.argmax(axis=1).type(y.dtype)
    compare = (a == y.reshape(-1)).type(torch.float32)
    return torch.mean(compare)
print(accuracy(y_hat, y), accuracy(y_hat, y).item())
print(X.sum(0, keepdim=True), X.sum(1, keepdim=True))
print(X.mean(axis=0), X.std(), X.max(1))
